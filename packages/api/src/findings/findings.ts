import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { FindingFacts } from '@vps/shared/finding-facts'
import { isStray, type FindingKind } from '@vps/shared/findings'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { hasNoOther, hasPlace, uuidStart } from './queries.js'

export type Finding = {
  hostId: string | null
  kind: FindingKind
  subject: string
  details: FindingFacts
}

/** Seen again, it only grows older. */
export async function recordFinding(tx: Tx, finding: Finding, now: Date): Promise<void> {
  publish(tx, { shop: 'finding' })
  await tx
    .insertInto('findings')
    .values({
      id: uuidv7(),
      host_id: finding.hostId,
      kind: finding.kind,
      subject: finding.subject,
      details: JSON.stringify(finding.details),
      first_seen_at: now,
      last_seen_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['host_id', 'kind', 'subject'])
        .where('resolved_at', 'is', null)
        .doUpdateSet({ last_seen_at: now, details: sql`excluded.details` }),
    )
    .execute()
}

/** Of a server, which may have had another host when it was told first: it stays one, as old, and goes along. */
export async function recordFindingOfServer(tx: Tx, finding: Finding, now: Date): Promise<void> {
  const { hostId, kind, subject } = finding
  await sql`
    with kept as (select id from findings where kind = ${kind} and subject = ${subject} and resolved_at is null
      order by (host_id is not distinct from ${hostId}::uuid) desc, first_seen_at, id limit 1)
    update findings f set host_id = case when f.id = k.id then ${hostId}::uuid else f.host_id end,
      resolved_at = case when f.id = k.id then null else ${now}::timestamptz end
    from kept k where f.kind = ${kind} and f.subject = ${subject} and f.resolved_at is null`.execute(tx)
  await recordFinding(tx, finding, now)
}

/** Of one subject, on any host or of the whole shop. */
export async function resolveOf(tx: Tx, kind: FindingKind, subject: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) publish(tx, { shop: 'finding' })
}

/** The newest of a host is over only now, also where an operator marked it as handled before. */
export async function resolveNewest(tx: Tx, { hostId, kind }: Pick<Some, 'hostId' | 'kind'>, now: Date): Promise<void> {
  publish(tx, { shop: 'finding' })
  await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('findings')
        .select('id')
        .where('host_id', '=', hostId)
        .where('kind', '=', kind)
        .orderBy('first_seen_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .execute()
}

/** All of a host. */
export async function resolveOfHost(tx: Tx, hostId: string, now: Date): Promise<void> {
  publish(tx, { shop: 'finding' })
  await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('host_id', '=', hostId)
    .where('resolved_at', 'is', null)
    .execute()
}

/** Whether it is open on that host; by columns of the query. */
export const isTold = (kind: FindingKind, { hostId, subject }: { hostId: string; subject: string }) =>
  sql<SqlBool>`exists (select from findings f where f.host_id = ${sql.ref(hostId)} and f.kind = ${kind}
    and f.subject = ${sql.ref(subject)}::text and f.resolved_at is null)`

type Some = { hostId: string; kind: FindingKind; which: RawBuilder<boolean> }

/** A host's, picked by the caller. Whether there was any. */
export async function resolveSome(tx: Tx, { hostId, kind, which }: Some, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('host_id', '=', hostId)
    .where('kind', '=', kind)
    .where('resolved_at', 'is', null)
    .where(which)
    .executeTakeFirstOrThrow()
  const isSome = numUpdatedRows > 0n
  if (isSome) publish(tx, { shop: 'finding' })
  return isSome
}

type SeenOf<Kind extends FindingKind> = {
  hostId: string
  kinds: readonly Kind[]
  seen: readonly (Omit<Finding, 'hostId'> & { kind: Kind })[]
}

/** Notes what was seen; resolves open findings of these kinds that were not. */
export async function reconcileFindings<Kind extends FindingKind>(
  tx: Tx,
  seen: SeenOf<Kind>,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{
    changed: boolean
  }>`with ${reconciliation(seen, now)} select ${reconciled} as changed`.execute(tx)
  if (rows[0]?.changed) publish(tx, { shop: 'finding' })
}

/** As parts of a statement. The same again within a minute is not written. */
export function reconciliation<Kind extends FindingKind>(
  { hostId, kinds, seen }: SeenOf<Kind>,
  now: Date,
): RawBuilder<unknown> {
  return sql`
    seen as materialized (
      select distinct on (kind, subject) * from jsonb_to_recordset(${JSON.stringify(seen.map((one) => ({ id: uuidv7(), ...one })))}::jsonb)
        as t(id uuid, kind text, subject text, details jsonb) order by kind, subject),
    noted as (
      insert into findings as f (id, host_id, kind, subject, details, first_seen_at, last_seen_at)
      select a.id, ${hostId}::uuid, a.kind, a.subject, a.details, ${now}, ${now} from seen a
      where not exists (select from findings o where o.host_id = ${hostId} and o.kind = a.kind and o.subject = a.subject
        and o.resolved_at is null and o.details = a.details and o.last_seen_at > ${new Date(now.getTime() - seenAgainMs)})
      on conflict (host_id, kind, subject) where resolved_at is null
      do update set last_seen_at = excluded.last_seen_at, details = excluded.details returning 1),
    gone as (
      update findings f set resolved_at = ${now}
      where f.host_id = ${hostId} and f.kind = any(${kinds}::text[]) and f.resolved_at is null
        and not exists (select from seen a where a.kind = f.kind and a.subject = f.subject) returning 1)`
}

const seenAgainMs = 60_000

/** Beside `reconciliation`: whether anything changed. */
export const reconciled = sql<boolean>`(exists (select from noted) or exists (select from gone))`

const staleMinutes = 10

/** What has not happened again for a while. */
export async function resolveStale(tx: Tx, hostId: string, kinds: readonly FindingKind[], now: Date): Promise<void> {
  await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('host_id', '=', hostId)
    .where('kind', 'in', kinds)
    .where('resolved_at', 'is', null)
    .where('last_seen_at', '<', new Date(now.getTime() - staleMinutes * 60_000))
    .execute()
}

/** The shop's that were not told again as long. */
export function staleOfShop(db: Db, kinds: readonly FindingKind[], now: Date) {
  return db
    .selectFrom('findings')
    .select(['id', 'kind', 'subject'])
    .where('host_id', 'is', null)
    .where('kind', 'in', kinds)
    .where('resolved_at', 'is', null)
    .where('last_seen_at', '<', new Date(now.getTime() - staleMinutes * 60_000))
}

export const perhapsLast = '该服务器所在的宿主机上没有它，或没有响应，这里可能是它仅存的数据，不能清理'

/** Only leftovers of our former servers without a place there, which are seen elsewhere if they live. NOT_FOUND, NOT_SUPPORTED. */
export async function lockStray(tx: Tx, id: string): Promise<{ hostId: string; serverId: string; generation: number }> {
  const finding = await readOpenOfHost(tx, id)
  const server =
    isStray(finding.kind) && new RegExp(uuidStart).test(finding.subject)
      ? await tx
          .selectFrom('servers')
          .select(['id', 'generation'])
          .where('id', '=', finding.subject.slice(0, 36))
          .forUpdate()
          .executeTakeFirst()
      : null
  if (!server) fail('NOT_SUPPORTED', { message: '不是本系统创建的对象，请在宿主机上处理' })
  const place = sql`select where ${hasPlace({ serverId: sql.val(server.id), hostId: sql.val(finding.host_id) })}`
  if ((await place.execute(tx)).rows.length > 0)
    fail('NOT_SUPPORTED', { message: '该服务器在这台宿主机上仍有位置，不能清理' })
  const { rows } = await sql<{ is: boolean }>`select ${hasNoOther(sql.val(server.id))} as is`.execute(tx)
  if (rows[0]?.is) fail('NOT_SUPPORTED', { message: perhapsLast })
  return { hostId: finding.host_id, serverId: server.id, generation: Math.max(1, server.generation) }
}

/** It runs on a host where it has no place, and is not to be seen where it has one: two would have its addresses. NOT_SUPPORTED. */
export async function refuseElsewhere(tx: Tx, serverId: string): Promise<void> {
  const id = sql.val(serverId)
  const { rows } = await sql<{
    is: boolean
  }>`select ${hasNoOther(id)} and exists (select from findings f join hosts t on t.id = f.host_id and t.status <> 'LOST'
    where f.kind = 'stray-domain' and f.subject = ${id}::text and f.resolved_at is null and f.details->>'power' = 'on'
      and not ${hasPlace({ serverId: id, hostId: sql.ref('f.host_id') })}) as is`.execute(tx)
  if (rows[0]?.is) fail('NOT_SUPPORTED', { message: '这台服务器正在另一台宿主机上运行，须由管理员先处理' })
}

const notOpen = '该发现项已处理或不存在'

/** NOT_FOUND. */
export async function readOpenFinding(tx: Tx, id: string) {
  const finding = await tx
    .selectFrom('findings')
    .select(['host_id', 'kind', 'subject'])
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  return finding ?? fail('NOT_FOUND', { message: notOpen })
}

async function readOpenOfHost(tx: Tx, id: string) {
  const { host_id, ...finding } = await readOpenFinding(tx, id)
  return host_id === null ? fail('NOT_FOUND') : { ...finding, host_id }
}

/** Of these kinds; locks its server. NOT_FOUND, NOT_SUPPORTED. */
export async function lockServerOf(
  tx: Tx,
  id: string,
  kinds: readonly FindingKind[],
): Promise<{ hostId: string; serverId: string }> {
  const finding = await readOpenOfHost(tx, id)
  if (!kinds.includes(finding.kind)) fail('NOT_SUPPORTED')
  await tx.selectFrom('servers').select('id').where('id', '=', finding.subject).forUpdate().execute()
  return { hostId: finding.host_id, serverId: finding.subject }
}

/** Seen again, it becomes a new one. NOT_FOUND. */
export async function resolveFinding(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await tx
    .updateTable('findings')
    .set({ resolved_at: now })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returning('kind')
    .executeTakeFirst()
  if (!row) fail('NOT_FOUND', { message: notOpen })
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'finding.resolve', subject: { kind: 'finding', id }, details: row },
    now,
  )
}
