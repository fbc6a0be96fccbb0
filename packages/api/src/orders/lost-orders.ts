import { refundDays } from '@vps/shared/deadlines'
import { errorTable } from '@vps/shared/errors'
import type { Fen } from '@vps/shared/money'
import { orderCan, servedStatuses } from '@vps/shared/orders'
import type { LostOrderInFen } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { sql } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { must } from '../must.js'
import { driverOf } from '../servers/drivers.js'
import { lockOrder, type OrderRow } from './lock-order.js'
import { payBackLost, refundable } from './refunds.js'
import { lockWallet, postEntry } from '../wallet/post-entry.js'
import { isLost, renewOrder } from './renew-order.js'
import { isRefundWaiting, refundWaits } from './refund-waits.js'
import { isGrowing, refuseWhileGrowing } from './upgrades.js'

/**
 * Orders whose host was declared lost. Nothing ends them by itself: an operator has each set up on another host, or pays
 * it back (decision 0127).
 */

/** A host has hundreds at most. */
const mostListed = 1_000

/** By number, with what a refund gives back now, and why one cannot be set up elsewhere. */
export async function listLostOrders(db: Db, hostId: string, now: Date): Promise<LostOrderInFen[]> {
  const rows = await lostOrders(db, now)
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .innerJoin('servers as s', 's.id', 'o.server_id')
    .leftJoin('addresses as a', (join) => join.onRef('a.placement_id', '=', 'p.id').on('a.position', '=', 0))
    .select([
      'o.id',
      'o.number',
      'o.status',
      'o.expires_at',
      'o.auto_renewal',
      's.name',
      'u.id as ownerId',
      'u.username',
    ])
    .select(({ ref }) => [isGrowing(ref('o.id')).as('isGrowing'), isAskedBack.as('isAskedBack')])
    .select([sql<string | null>`host(a.address)`.as('address'), keptBackups.as('backups'), credits(now).as('credit')])
    .where('h.id', '=', hostId)
    .orderBy('o.number')
    .limit(mostListed)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    orderNumber: row.number,
    serverName: row.name,
    ownerId: row.ownerId,
    ownerName: row.username,
    status: row.status,
    ipAddress: row.address,
    expiresAt: row.expires_at?.toISOString() ?? null,
    backups: row.backups,
    refund: row.refund,
    credit: row.credit,
    stays: staysBecause(row, now),
  }))
}

type Ends = Pick<OrderRow, 'status' | 'auto_renewal' | 'expires_at'>

/** Past its end it goes on where it would be renewed. */
const endedBecause = (order: Ends, now: Date) =>
  orderCan.act.reason(order) ?? (!order.auto_renewal && must(order.expires_at) <= now ? text.endedUnrenewed : null)

const staysBecause = (order: Ends & { isAskedBack: boolean; isGrowing: boolean }, now: Date) =>
  endedBecause(order, now) ??
  (order.isAskedBack ? errorTable.REFUND_OPEN.message : order.isGrowing ? errorTable.LOCKED.message : null)

/**
 * Gives the job's id. Nobody pays for time without a server: it is given back, and what waited past its end begins a new
 * period. NOT_FOUND, MOVE_NOT_ALLOWED, REFUND_OPEN, LOCKED during an upgrade, NO_STOCK, INSUFFICIENT_BALANCE.
 */
export async function evacuateOrder(tx: Tx, admin: User, { id }: { id: string }, now: Date): Promise<string> {
  const order = await lockLost(tx, id)
  const reason = endedBecause(order, now)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  if (await refundWaits(tx, id)) fail('REFUND_OPEN')
  await refuseWhileGrowing(tx, id)
  const isDue = order.auto_renewal && must(order.expires_at) <= now
  await lockWallet(tx, order.user_id) // Before what its server has.
  const serverId = must(order.server_id)
  const outage = await readOutage(tx, id, now)
  const server = await tx.selectFrom('servers').select('driver').where('id', '=', serverId).executeTakeFirstOrThrow()
  const { jobId, keepsAddresses } = await driverOf(server).evacuate(tx, serverId, admin.id, now)
  await giveBack(tx, order, jobId, outage, now)
  if (isDue) await renewOrder(tx, actorOf(admin), 'admin', order, now, { fromNow: true })
  const mail = { template: 'orderRebuilt', userId: order.user_id, orderId: id, keepsAddresses } as const
  await enqueueMail(tx, { ...mail, isRenewed: isDue, credited: outage.credit })
  const subject = { kind: 'server', id: serverId }
  const details = { jobId, keepsAddresses, creditedFen: outage.credit }
  await recordAudit(tx, actorOf(admin), { action: 'server.evacuate', subject, details }, now)
  return jobId
}

type Outage = { since: Date; credit: Fen }

const readOutage = (tx: Tx, id: string, now: Date): Promise<Outage> =>
  lostOrders(tx, now)
    .clearSelect()
    .select([credits(now).as('credit'), lastHeard(now).as('since')])
    .where('o.id', '=', id)
    .executeTakeFirstOrThrow()

/** What was paid for the time since its host was last heard, once. */
async function giveBack(tx: Tx, order: OrderRow, jobId: string, { since, credit }: Outage, now: Date): Promise<void> {
  await tx
    .insertInto('evacuations')
    .values({ job_id: jobId, order_id: order.id, from_at: since, until_at: now, credited_fen: credit })
    .execute()
  const description = `订单 ${order.number} 宿主机损坏期间的费用退回`
  const reference = `evacuation:${jobId}`
  const entry = { userId: order.user_id, type: 'REFUND', amount: credit, reference, description } as const
  await postEntry(tx, { ...entry, orderId: order.id }, now)
}

/**
 * Its unused time goes back, and it ends; a request that waits is approved by it. NOT_FOUND, MOVE_NOT_ALLOWED;
 * STATE_CHANGED where it gives back another sum than was shown.
 */
export async function refundLost(
  tx: Tx,
  admin: User,
  { id, amount: agreed }: { id: string; amount: Fen },
  now: Date,
): Promise<void> {
  const order = await lockLost(tx, id)
  const { refund } = await lostOrders(tx, now).where('o.id', '=', id).executeTakeFirstOrThrow()
  if (refund !== agreed) fail('STATE_CHANGED')
  await payBackLost(tx, admin, order, refund, now)
}

/** MOVE_NOT_ALLOWED where its host is not lost (any more). */
async function lockLost(tx: Tx, id: string): Promise<OrderRow> {
  const order = await lockOrder(tx, id)
  if (!isServed(order) || !(await isLost(tx, id)))
    fail('MOVE_NOT_ALLOWED', { message: '服务器不在已宣告丢失的宿主机上，或订单已结束' })
  return order
}

const isServed = ({ status }: OrderRow) => servedStatuses.some((one) => one === status)

function lostOrders(db: Db, now: Date) {
  return db
    .selectFrom('orders as o')
    .innerJoin('placements as p', (join) => join.onRef('p.server_id', '=', 'o.server_id').on('p.state', '=', 'held'))
    .innerJoin('hosts as h', (join) => join.onRef('h.id', '=', 'p.host_id').on('h.status', '=', 'LOST'))
    .leftJoin('host_heartbeats as b', 'b.host_id', 'h.id')
    .select(returns(now).as('refund'))
    .where('o.status', 'in', servedStatuses)
}

/** What was given back before ended where the order came to this host. */
const lastHeard = (now: Date) => sql<Date>`least(${now}, greatest(coalesce(b.last_seen_at, ${now}),
  (select max(z.until_at) from evacuations z where z.order_id = o.id)))`

/** Of periods and upgrades, each paid at once: the part after the host was last heard, up to a moment. */
const paidFor = (now: Date, until: Date | null) => {
  const part = (paid: string, from: string, to: string) => {
    const [paidFen, starts, ends] = [sql.ref(paid), sql.ref(from), sql.ref(to)]
    const [since, end] = [sql`greatest(${starts}, ${lastHeard(now)})`, until ? sql`least(${ends}, ${until})` : ends]
    const share = sql`${paidFen} * extract(epoch from ${end} - ${since}) / extract(epoch from ${ends} - ${starts})`
    // Together with the rest it is never more than was paid.
    return sql`coalesce(sum(${until ? sql`floor(${share})` : sql`round(${share})`}) filter (where ${end} > ${since}), 0)::bigint`
  }
  return sql<Fen>`(select ${part('t.paid_fen', 't.starts_at', 't.ends_at')} from order_periods t where t.order_id = o.id)
    + (select ${part('v.charge_fen', 'v.created_at', 't.ends_at')} from order_upgrades v join order_periods t on t.order_id = v.order_id
        and t.seq = coalesce(v.periods_paid, (select max(seq) from order_periods e where e.order_id = v.order_id and e.starts_at <= v.created_at))
      where v.order_id = o.id and v.status = 'DONE')`
}

/** The time without a server, so far. */
const credits = (now: Date) => sql<Fen>`(${paidFor(now, now)})`

/** All time after the host was last heard; no less than what its owner may still ask back, or has asked back. */
const returns = (now: Date) => sql<Fen>`greatest(${paidFor(now, null)},
  case when ${isAskedBack} or o.activated_at + make_interval(days => ${sql.lit(refundDays)}) > ${now}
      and exists (select from order_periods f where f.order_id = o.id and f.seq = 1 and f.ends_at > ${now})
    then ${refundable(sql.ref('o.id'), now)} else 0 end)`

const isAskedBack = isRefundWaiting(sql.ref('o.id'))

/** Whole and staying. */
const keptBackups = sql<number>`(select count(*)::int from backups k
  where k.server_id = o.server_id and k.made_at is not null and k.forget_at is null and k.cold_migration_id is null)`
