/**
 * Its life is in its row: a ticket, a viewer (`opened_at`), handed to the host's agent, brought by it (`met_at`),
 * ended. Who ends it first says why, for all processes.
 */
import { orderCan } from '@vps/shared/orders'
import { remoteLimits, type RemoteEnding, type RemoteKind } from '@vps/shared/remote'
import type { RemoteConsoleAsked } from '@vps/shared/remote.contract'
import { sql } from 'kysely'
import { actorOf } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { inTx, publish } from '../db/tx.js'
import { hashOfSecret, newSecret } from './open-ticket.js'

export type RemoteConsole = {
  id: string
  serverId: string
  hostId: string
  kind: RemoteKind
  userId: string
  openedAt: Date
}

type Arrival = { ticket: string; address: string; relayAddress: string }

/** By its ticket, once; ends the server's earlier ones of the kind. */
export async function openRemote(
  tx: Tx,
  { ticket, address, relayAddress }: Arrival,
  now: Date,
): Promise<RemoteConsole | 'expired' | 'revoked' | 'unreachable'> {
  const asked = await tx
    .selectFrom('remote_consoles')
    .select(['id', 'server_id as serverId', 'host_id as hostId', 'kind', 'user_id as userId'])
    .where('ticket_hash', '=', hashOfSecret(ticket))
    .where('opened_at', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - remoteLimits.ticketSeconds * 1000))
    // Before the server: nobody who holds that waits for it.
    .forUpdate()
    .executeTakeFirst()
  if (!asked) return 'expired'
  const { id, serverId, hostId, kind, userId } = asked
  await tx.selectFrom('servers').select('id').where('id', '=', serverId).forNoKeyUpdate().execute()
  const over = (await endingsOf(tx, [id])).get(id)
  if (over) {
    const why = over === 'unreachable' ? over : 'revoked'
    await endWithin(tx, id, why, now)
    return why
  }
  const before = await tx
    .selectFrom('remote_consoles')
    .select('id')
    .where('server_id', '=', serverId)
    .where('kind', '=', kind)
    .where('opened_at', 'is not', null)
    .where('ended_at', 'is', null)
    .execute()
  for (const other of before) await endWithin(tx, other.id, 'replaced', now)
  const opened = await tx
    .updateTable('remote_consoles')
    .set({ opened_at: now, address, relay_address: relayAddress })
    .where('id', '=', id)
    .where('opened_at', 'is', null)
    .executeTakeFirst()
  if (opened.numUpdatedRows === 0n) return 'expired'
  const actor = await viewerOf(tx, id)
  await recordAudit(
    tx,
    actor,
    { action: 'server.open-remote', subject: { kind: 'server', id: serverId }, details: { remoteId: id, kind } },
    now,
  )
  publish(tx, { host: hostId })
  return { id, serverId, hostId, kind, userId, openedAt: now }
}

/** Their host has not been told yet. */
export const remoteConsolesWaiting = (db: Db) =>
  db
    .selectFrom('remote_consoles as r')
    .select('r.id')
    .where('r.opened_at', 'is not', null)
    .where('r.handed_at', 'is', null)
    .where('r.ended_at', 'is', null)

/** Each once, with a secret of which the hash is kept. */
export async function claimRemoteConsoles(tx: Tx, hostId: string, now: Date): Promise<RemoteConsoleAsked[]> {
  const secret = newSecret()
  const waiting = remoteConsolesWaiting(tx).where('r.host_id', '=', hostId).limit(remoteLimits.handedAtOnce)
  const rows = await tx
    .updateTable('remote_consoles')
    .set({ handed_at: now, secret_hash: hashOfSecret(secret) })
    .where('id', 'in', waiting)
    .returning(['id', 'server_id as serverId', 'kind'])
    .execute()
  return rows.map((row) => ({ ...row, secret }))
}

/** By the agent, once: gives the address of the viewer's process. Null: there is none any more. */
export async function meetRemote(
  db: Db,
  hostId: string,
  { id, secret }: { id: string; secret: string },
  now: Date,
): Promise<string | null> {
  const met = await db
    .updateTable('remote_consoles')
    .set({ met_at: now })
    .where('id', '=', id)
    .where('host_id', '=', hostId)
    .where('secret_hash', '=', hashOfSecret(secret))
    .where('met_at', 'is', null)
    .where('ended_at', 'is', null)
    .returning('relay_address')
    .executeTakeFirst()
  return met?.relay_address ?? null
}

/** Of the process the agent came to. */
export async function holdsSecret(db: Db, { id, secret }: { id: string; secret: string }): Promise<boolean> {
  const row = await db
    .selectFrom('remote_consoles')
    .select('id')
    .where('id', '=', id)
    .where('secret_hash', '=', hashOfSecret(secret))
    .where('met_at', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Those ended, and why; `revoked`: the right is gone, `unreachable`: that of the host's token, which may be a thief's. */
export async function endingsOf(db: Db, ids: readonly string[]): Promise<Map<string, RemoteEnding>> {
  const rows = await db
    .selectFrom('remote_consoles as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .innerJoin('sessions as s', 's.id', 'r.session_id')
    .innerJoin('servers as v', 'v.id', 'r.server_id')
    .innerJoin('hosts as h', 'h.id', 'r.host_id')
    .leftJoin('orders as o', 'o.id', 'v.order_id')
    .leftJoin('placements as p', (join) =>
      join.onRef('p.server_id', '=', 'r.server_id').onRef('p.host_id', '=', 'r.host_id').on('p.state', '=', 'held'),
    )
    .select((eb) => [
      'r.id',
      'r.ended_why',
      eb('h.token_hash', 'is not', null).as('isTrusted'),
      eb
        .and([
          eb('u.status', '=', 'active'),
          eb('s.revoked_at', 'is', null),
          eb('p.id', 'is not', null),
          eb.or([
            eb('u.role', '=', 'ADMIN'),
            eb.and([eb('o.user_id', '=', eb.ref('u.id')), eb('o.status', 'in', [...orderCan.openRemote.states])]),
          ]),
        ])
        .as('stands'),
    ])
    .where(isOneOf('r.id', ids))
    .execute()
  return new Map(
    rows.flatMap(({ id, ended_why: why, stands, isTrusted }): [string, RemoteEnding][] =>
      why ? [[id, why]] : !stands ? [[id, 'revoked']] : isTrusted ? [] : [[id, 'unreachable']],
    ),
  )
}

/** Gives why it ended: the first to say wins. */
export function endRemote(db: Db, id: string, why: RemoteEnding, now: Date): Promise<RemoteEnding> {
  return inTx(db, (tx) => endWithin(tx, id, why, now))
}

async function endWithin(tx: Tx, id: string, why: RemoteEnding, now: Date): Promise<RemoteEnding> {
  const ended = await tx
    .updateTable('remote_consoles')
    .set({ ended_at: now, ended_why: why })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['server_id', 'kind', 'opened_at'])
    .executeTakeFirst()
  if (!ended) {
    const row = await tx.selectFrom('remote_consoles').select('ended_why').where('id', '=', id).executeTakeFirst()
    return row?.ended_why ?? why
  }
  const seconds = ended.opened_at && Math.round((now.getTime() - ended.opened_at.getTime()) / 1000)
  const entry = {
    action: 'server.end-remote',
    subject: { kind: 'server', id: ended.server_id },
    details: { remoteId: id, kind: ended.kind, why, seconds },
  }
  await recordAudit(tx, await viewerOf(tx, id), entry, now)
  publish(tx, { remote: ended.server_id })
  return why
}

async function viewerOf(tx: Tx, id: string) {
  const viewer = await tx
    .selectFrom('remote_consoles as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select([
      'u.id',
      'u.username',
      'u.role',
      'r.session_id as sessionId',
      sql<string | null>`host(r.address)`.as('address'),
    ])
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow()
  return actorOf(viewer)
}

const endedAtOnce = 500

/** Ends those of dead processes; forgets those asked for before a moment. */
export async function tidyRemoteConsoles(tx: Tx, before: Date, now: Date): Promise<void> {
  const left = await tx
    .selectFrom('remote_consoles')
    .select('id')
    .where('opened_at', '<', new Date(now.getTime() - 2 * remoteLimits.openSeconds * 1000))
    .where('ended_at', 'is', null)
    .limit(endedAtOnce)
    .execute()
  for (const { id } of left) await endWithin(tx, id, 'over', now)
  await tx.deleteFrom('remote_consoles').where('created_at', '<', before).execute()
}
