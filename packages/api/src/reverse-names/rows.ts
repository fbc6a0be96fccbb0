import { reverseNameState } from '@vps/shared/reverse-names'
import type { ReverseNameView } from '@vps/shared/reverse-names.contract'
import { placeOfReverseName } from '@vps/shared/reverse-names'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'

/**
 * A row per address that has a name, or whose name goes. Wishes reach the name server later (`write-due.ts`); one
 * changed meanwhile is due again (`revision`).
 */

/** Of an upgrade not before it is done. */
const isGiven = sql<boolean>`not exists (select from order_upgrades u where u.id = a.upgrade_id and u.status <> 'DONE')`

/** Of a server's addresses, in order; none without a machine of ours. */
export async function readNames(db: Db, serverId: string, zones: readonly string[]): Promise<ReverseNameView[]> {
  const rows = await db
    .selectFrom('placements as p')
    .innerJoin('addresses as a', 'a.placement_id', 'p.id')
    .innerJoin('ip_pools as i', 'i.id', 'a.pool_id')
    .leftJoin('reverse_names as n', (join) =>
      join.onRef('n.address', '=', 'a.address').onRef('n.placement_id', '=', 'p.id'),
    )
    .select([sql<string>`host(a.address)`.as('address'), 'n.wanted', 'n.written', 'n.error'])
    .select(sql<boolean>`n.due_at is not null`.as('isDue'))
    .where('p.server_id', '=', serverId)
    .where('p.state', '=', 'held')
    .where('i.nat_address', 'is', null)
    .where(isGiven)
    .orderBy('a.position')
    .execute()
  return rows.map((row) => ({
    address: row.address,
    name: row.wanted,
    state: reverseNameState(row),
    error: row.error,
    isOffered: placeOfReverseName(row.address, zones) !== null,
  }))
}

/** What the address is to be called; null: nothing. NOT_FOUND for another's. */
export async function wantName(
  tx: Tx,
  { serverId, address, name }: { serverId: string; address: string; name: string | null },
  now: Date,
): Promise<void> {
  const place = await tx
    .selectFrom('addresses as a')
    .innerJoin('placements as p', 'p.id', 'a.placement_id')
    .select(['a.address', 'p.id'])
    .where('a.address', '=', address)
    .where('p.server_id', '=', serverId)
    .where('p.state', '=', 'held')
    .where(isGiven)
    // Whoever frees it waits, and finds the name.
    .forShare('p')
    .executeTakeFirst()
  if (!place) fail('NOT_FOUND')
  const wish = { placement_id: place.id, wanted: name, due_at: now, attempts: 0, error: null, updated_at: now }
  const again = { ...wish, revision: sql<number>`reverse_names.revision + 1` }
  // What we never wrote is the operator's, and stays.
  if (name === null) await tx.updateTable('reverse_names').set(again).where('address', '=', place.address).execute()
  else
    await tx
      .insertInto('reverse_names')
      .values({ address: place.address, ...wish })
      .onConflict((conflict) => conflict.column('address').doUpdateSet(again))
      .execute()
}

/** Those wanted for a place's addresses. */
export async function wantedNames(tx: Tx, placementId: string): Promise<{ address: string; name: string | null }[]> {
  return tx
    .selectFrom('reverse_names')
    .select(['address', 'wanted as name'])
    .where('placement_id', '=', placementId)
    .where('wanted', 'is not', null)
    .execute()
}

/** Its server goes to another place, with its addresses. */
export async function carryNames(tx: Tx, { from, to }: { from: string; to: string }): Promise<void> {
  await tx.updateTable('reverse_names').set({ placement_id: to }).where('placement_id', '=', from).execute()
}

/** Their addresses become free or another's: names go. */
export async function dropNames(tx: Tx, placementIds: readonly string[], now: Date): Promise<void> {
  if (placementIds.length === 0) return
  await tx
    .updateTable('reverse_names')
    .set(nobodys(now))
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('placement_id', 'in', placementIds)
    .execute()
}

/** Of single addresses. */
export async function dropNamesOf(tx: Tx, addresses: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('reverse_names')
    .set(nobodys(now))
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('address', 'in', addresses)
    .execute()
}

const nobodys = (now: Date) =>
  ({ placement_id: null, wanted: null, due_at: now, attempts: 0, error: null, updated_at: now }) as const

/** Retries what waits. */
export async function hurryNames(tx: Tx, now: Date): Promise<void> {
  await tx.updateTable('reverse_names').set({ due_at: now, attempts: 0 }).where('due_at', 'is not', null).execute()
}

/** For another server or zones, or after a restored back-up. */
export async function writeAllAgain(tx: Tx, now: Date): Promise<void> {
  await tx
    .updateTable('reverse_names')
    .set({ due_at: now, attempts: 0 })
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute()
}

/** Not as wanted yet, and those of them whose last try failed. */
export async function countOpen(db: Db): Promise<{ waiting: number; failed: number }> {
  return db
    .selectFrom('reverse_names')
    .select(sql<number>`(count(*) filter (where error is null))::int`.as('waiting'))
    .select(sql<number>`(count(*) filter (where error is not null))::int`.as('failed'))
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
}

export type Claimed = { address: string; wanted: string | null; revision: number; attempts: number; leasedUntil: Date }

/** The longest due first; the caller's until `leasedUntil`. */
export async function claimDue(tx: Tx, atMost: number, leasedUntil: Date, now: Date): Promise<Claimed[]> {
  const { rows } = await sql<Omit<Claimed, 'leasedUntil'>>`
    with due as materialized (select address from reverse_names
      where due_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by due_at, address limit ${sql.lit(atMost)} for no key update skip locked),
    claimed as (update reverse_names n set leased_until = ${leasedUntil} from due where n.address = due.address returning n.*)
    select host(address) as address, wanted, revision, attempts from claimed order by due_at, claimed.address`.execute(
    tx,
  )
  return rows.map((row) => ({ ...row, leasedUntil }))
}

/** Another process may ask for them at once. */
export async function letGo(tx: Tx, claimed: readonly Claimed[]): Promise<void> {
  const [first] = claimed
  if (!first) return
  await tx
    .updateTable('reverse_names')
    .set({ leased_until: null })
    .where(sql<boolean>`address = any(${claimed.map(({ address }) => address)}::inet[])`)
    .where('leased_until', '=', first.leasedUntil)
    .execute()
}

type Outcome = { error: string; retryAt: Date } | 'written'

/** Of a claim that still holds; a newer wish stays due. Gives whose server it is, if anybody's. */
export async function endClaim(
  tx: Tx,
  claimed: Claimed,
  outcome: Outcome,
): Promise<{ userId: string | null; serverId: string } | null> {
  const { address, wanted, revision, leasedUntil } = claimed
  const mine = tx
    .updateTable('reverse_names')
    .where('address', '=', address)
    .where('leased_until', '=', leasedUntil)
    .returning('placement_id')
  const row =
    outcome === 'written'
      ? await mine
          .set((eb) => ({
            written: wanted,
            leased_until: null,
            error: null,
            attempts: 0,
            due_at: eb.case().when('revision', '=', revision).then(null).else(eb.ref('due_at')).end(),
          }))
          .executeTakeFirst()
      : await mine
          .set((eb) => ({
            leased_until: null,
            error: eb.case().when('revision', '=', revision).then(outcome.error).else(null).end(),
            attempts: eb
              .case()
              .when('revision', '=', revision)
              .then(eb('attempts', '+', 1))
              .else(0)
              .end(),
            due_at: eb.case().when('revision', '=', revision).then(outcome.retryAt).else(eb.ref('due_at')).end(),
          }))
          .executeTakeFirst()
  await tx
    .deleteFrom('reverse_names')
    .where('address', '=', address)
    .where('wanted', 'is', null)
    .where('due_at', 'is', null)
    .execute()
  if (!row?.placement_id) return null
  const server = await tx
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .select(['s.user_id as userId', 's.id as serverId'])
    .where('p.id', '=', row.placement_id)
    .executeTakeFirst()
  return server ?? null
}
