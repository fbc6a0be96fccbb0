import { servedStatuses } from '@vps/shared/orders'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { recordFinding, resolveNewest, resolveOf } from '../findings/findings.js'
import { isArriving } from '../jobs/is-migrating.js'
import { enqueueMails } from '../mail/enqueue-mail.js'
import type { Notification } from '../notifications/notification.js'

/** Whether a server has its place on a host that was declared lost. */
export const isOnLost = (server: string) =>
  sql<boolean>`exists (select from placements lp join hosts lh on lh.id = lp.host_id
    where lp.server_id = ${sql.ref(server)} and lp.state = 'held' and lh.status = 'LOST')`

/** When a host last came back with it after it was lost, if one did: it may have migrated since. */
export const lastReturn = (server: string) =>
  sql<Date | null>`(select max(bf.resolved_at) from placements bp join findings bf on bf.host_id = bp.host_id
    where bp.server_id = ${sql.ref(server)} and bf.kind = 'lost-servers' and bp.created_at <= bf.resolved_at
      and coalesce(coalesce(bp.releasing_at, bp.freed_at) > bf.resolved_at, true))`

/** Whether it was declared lost. */
export async function isLostHost(tx: Tx, hostId: string): Promise<boolean> {
  const host = await tx.selectFrom('hosts').select('status').where('id', '=', hostId).executeTakeFirst()
  return host?.status === 'LOST'
}

export const lostDoesNothing = '宿主机已宣告丢失，任务不会再被执行'

/** MOVE_NOT_ALLOWED there: it would wait, and be dropped without a word as the server is set up elsewhere. */
export async function refuseOnLost(tx: Tx, hostId: string): Promise<void> {
  if (await isLostHost(tx, hostId)) fail('MOVE_NOT_ALLOWED', { message: lostDoesNothing })
}

/** What their owners may do with the servers of a host depends on whether it is lost: that begins or ends. */
async function publishServersOn(tx: Tx, hostId: string): Promise<void> {
  const servers = await tx
    .selectFrom('placements as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .select(['s.id', 's.user_id as user'])
    .where('p.host_id', '=', hostId)
    .where('p.state', '=', 'held')
    .execute()
  publish(
    tx,
    ...servers.map(({ id, user }): Notification => (user ? { user, what: 'server', id } : { shop: 'server' })),
  )
}

/** A lost host is back: only from now on can its servers be paid and used, whoever marked its loss as handled. */
export async function markBack(tx: Tx, hostId: string, now: Date): Promise<void> {
  await resolveNewest(tx, { hostId, kind: 'lost-servers' }, now)
  await publishServersOn(tx, hostId)
}

/** Of a host just declared lost: what stands on it waits for an operator, and its owners are told. Not what is on its way there. */
export const tellOfServers = (tx: Tx, hostId: string, now: Date): Promise<void> => tell(tx, hostId, null, now)

/** The same of one that came to a host, or back, if that is lost; its owner once of each loss. Whoever is declaring it so is waited for, or finds it there. */
export async function tellOfArrived(tx: Tx, hostId: string, serverId: string, now: Date): Promise<void> {
  await tx.selectFrom('hosts').select('id').where('id', '=', hostId).forKeyShare().execute()
  if (await isLostHost(tx, hostId)) await tell(tx, hostId, serverId, now)
}

/** Of a server that is back from a migration: of the same loss, as it stood there until its copy was whole. */
const wasTold = sql<boolean>`exists (select from cold_migrations cm join placements ct on ct.id = cm.to_id
  join findings cf on cf.host_id = cm.from_host_id and cf.kind = 'lost-servers' and cf.resolved_at is null
  where cm.from_id = p.id and cm.ended_at is null and cf.first_seen_at < ct.created_at)`

async function tell(tx: Tx, hostId: string, serverId: string | null, now: Date): Promise<void> {
  const { servers } = await tx
    .selectFrom('placements')
    .select(({ fn }) => fn.countAll<number>().as('servers'))
    .where('host_id', '=', hostId)
    .where('state', '=', 'held')
    .where(({ not }) => not(isArriving('placements.id')))
    .executeTakeFirstOrThrow()
  if (servers === 0) return
  await publishServersOn(tx, hostId)
  await recordFinding(tx, { hostId, kind: 'lost-servers', subject: hostId, details: { servers } }, now)
  const orders = await tx
    .selectFrom('placements as p')
    .innerJoin('orders as o', 'o.server_id', 'p.server_id')
    .select(['o.id as orderId', 'o.user_id as userId'])
    .where('p.host_id', '=', hostId)
    .where('p.state', '=', 'held')
    .where('o.status', 'in', servedStatuses)
    .where(({ not }) => not(isArriving('p.id')))
    .$if(serverId !== null, (query) => query.where('p.server_id', '=', serverId).where(({ not }) => not(wasTold)))
    .orderBy('o.id')
    .execute()
  await enqueueMails(
    tx,
    orders.map((order) => ({ template: 'hostLost', ...order })),
  )
}

/** Of a lost host: an operator is told until no server has its place there. */
export async function resolveOnceEmpty(tx: Tx, hostId: string, now: Date): Promise<void> {
  const held = await tx
    .selectFrom('placements')
    .select('id')
    .where('host_id', '=', hostId)
    .where('state', '=', 'held')
    .limit(1)
    .executeTakeFirst()
  if (!held) await resolveOf(tx, 'lost-servers', hostId, now)
}
