import { reachOf } from '@vps/shared/nat'
import { endedStatuses, hasEnded, refundableUntil, type OrderStatus } from '@vps/shared/orders'
import type { OrderInFen } from '@vps/shared/orders.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import type { Period } from '@vps/shared/periods'
import { sql, type Expression } from 'kysely'
import type { Db } from '../db/client.js'
import { countOf, countRows, searchPattern, toCountedPage } from '../db/page.js'
import { statement, type Given } from '../db/statement.js'
import { isAmong } from '../db/words.js'
import { fail } from '../errors.js'
import { must } from '../must.js'
import { natTerms } from '../fleet/nat-pools.js'
import { observedPower } from '../fleet/observed.js'
import { isFound } from './is-found.js'

const shownColumns = [
  'o.id',
  'o.number',
  'o.user_id',
  'o.server_id',
  'o.server_name',
  'o.price_group_id',
  'o.status',
  'o.suspend_reason',
  'o.suspend_note',
  'o.cancel_reason',
  'o.amount_fen',
  'o.period',
  'o.auto_renewal',
  'o.labels',
  'o.cpu_cores',
  'o.memory_gb',
  'o.storage_gb',
  'o.bandwidth_mbps',
  'o.ip_count',
  'o.backups',
  'o.ssh_port',
  'o.created_at',
  'o.paid_at',
  'o.activated_at',
  'o.expires_at',
] as const

/** Orders with all that their view shows. Constants stand in the text: PostgreSQL can plan with them. */
export function selectOrders(db: Db) {
  return (
    db
      .selectFrom('orders as o')
      .innerJoin('price_groups as p', 'p.id', 'o.price_group_id')
      .innerJoin('server_groups as g', 'g.id', 'p.server_group_id')
      .innerJoin('images as i', 'i.id', 'o.image_id')
      // Resold, the server is another order's.
      .leftJoin('servers as s', (join) => join.onRef('s.id', '=', 'o.server_id').onRef('s.order_id', '=', 'o.id'))
      .leftJoin('dedicated_servers as d', 'd.server_id', 's.id')
      .leftJoin('placements as pl', (join) =>
        join.onRef('pl.server_id', '=', 's.id').on('pl.state', '=', sql.lit('held')),
      )
      .leftJoin('host_heartbeats as h', 'h.host_id', 'pl.host_id')
      .leftJoin('hosts as ho', 'ho.id', 'pl.host_id')
      .leftJoin('order_periods as op', (join) => join.onRef('op.order_id', '=', 'o.id').on('op.seq', '=', sql.lit(1)))
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('refund_requests as r')
            .select(['r.status as refundStatus', 'r.reason as refundReason', 'r.decision as refundDecision'])
            .whereRef('r.order_id', '=', 'o.id')
            .orderBy('r.created_at', 'desc')
            .limit(1)
            .as('refund'),
        (join) => join.onTrue(),
      )
      .leftJoin('addresses as a', (join) =>
        join.onRef('a.placement_id', '=', 'pl.id').on('a.position', '=', sql.lit(0)),
      )
      .leftJoin('ip_pools as pool', 'pool.id', 'a.pool_id')
      .select(natTerms('pool').as('nat'))
      .select(shownColumns)
      .select([
        'p.name as priceGroupName',
        'g.id as serverGroupId',
        'g.name as groupName',
        'i.username as imageUsername',
      ])
      .select([
        's.id as heldServerId',
        's.name as serverName',
        's.username as serverUsername',
        's.install_status',
        's.power',
        'd.ip',
        's.ssh_port as serverSshPort',
      ])
      // What runs may be another than what was ordered.
      .select([
        sql<string>`coalesce(s.os_name, o.os_name)`.as('os_name'),
        sql<string>`coalesce(s.os_version, o.os_version)`.as('os_version'),
      ])
      .select([
        's.released_at',
        'ho.status as hostStatus',
        'h.inventory_at',
        'a.address',
        's.driver',
        's.ssh_checked_at',
        'op.ends_at as firstPeriodEnd',
      ])
      .select(['refund.refundStatus', 'refund.refundReason', 'refund.refundDecision'])
  )
}

type OrderRow = Awaited<ReturnType<ReturnType<typeof selectOrders>['executeTakeFirstOrThrow']>>

export const withoutServer = {
  server_id: null,
  server_name: null,
  heldServerId: null,
  serverName: null,
  serverUsername: null,
  serverSshPort: null,
  install_status: null,
  power: null,
  driver: null,
  ip: null,
  address: null,
  nat: null,
  released_at: null,
  hostStatus: null,
  inventory_at: null,
  ssh_checked_at: null,
  paid_at: null,
  activated_at: null,
  expires_at: null,
  firstPeriodEnd: null,
  suspend_reason: null,
  suspend_note: null,
  cancel_reason: null,
  refundStatus: null,
  refundReason: null,
  refundDecision: null,
  labels: [],
} satisfies Partial<OrderRow>

/** As its owner and staff see it. */
export function toOrderView(row: OrderRow, now: Date): OrderInFen {
  const { status, power } = observedPower(row, now)
  const machineSshPort = row.serverSshPort ?? row.ssh_port
  const reach = row.address === null ? null : reachOf(row.address, machineSshPort, row.nat)
  const living = row.heldServerId !== null && row.released_at === null
  return {
    id: row.id,
    orderNumber: row.number,
    userId: row.user_id,
    serverName: row.serverName ?? row.server_name ?? `${row.groupName}-${row.number.slice(-6)}`,
    serverId: row.server_id,
    amount: row.amount_fen,
    status: row.status,
    suspendReason: row.suspend_reason,
    suspendNote: row.status === 'SUSPENDED' ? row.suspend_note : null,
    cancelReason: row.cancel_reason,
    billingPeriod: row.period,
    autoRenewal: row.auto_renewal,
    labels: row.labels,
    createdAt: row.created_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    activatedAt: row.activated_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    cpuCores: row.cpu_cores,
    memoryGb: row.memory_gb,
    storageGb: row.storage_gb,
    bandwidthMbps: row.bandwidth_mbps,
    ipCount: row.ip_count,
    backups: row.backups,
    priceGroupId: row.price_group_id,
    priceGroupName: row.priceGroupName,
    serverGroupId: row.serverGroupId,
    groupName: row.groupName,
    sshPort: reach?.port ?? machineSshPort,
    machineSshPort,
    username: row.serverUsername ?? row.imageUsername,
    ipAddress: reach?.address ?? row.ip,
    osName: row.os_name,
    osVersion: row.os_version,
    refundableUntil:
      row.status === 'ACTIVE' || row.status === 'SUSPENDED'
        ? (refundableUntil(row.activated_at, row.firstPeriodEnd, now)?.toISOString() ?? null)
        : null,
    refund: row.refundStatus
      ? { status: row.refundStatus, reason: row.refundReason ?? '', decision: row.refundDecision }
      : null,
    server: living
      ? {
          id: row.heldServerId!,
          installStatus: row.install_status,
          status,
          power,
          driver: must(row.driver),
          hostLost: row.hostStatus === 'LOST',
        }
      : null,
  }
}

const listedOf = statement((db, given: Given<{ userId: string }>) => {
  const livingFirst = ordersOf(db, given('userId'), {}).orderBy(isAmong('o.status', endedStatuses))
  return pageOfOrders(db, livingFirst, { size: 1000, offset: 0 })
})

/** At most 1,000: however many have ended, none that lives is left out for them. Newest first. */
export async function listOrders(db: Db, userId: string, now: Date): Promise<OrderInFen[]> {
  return (await listedOf(db, { userId })).map((row) => toOrderView(row, now))
}

export type OrderFilter = {
  search?: string | undefined
  status?: OrderStatus | undefined
  billingPeriod?: Period | undefined
}

/** Search matches number, server name, system, addresses and labels, as they are shown. */
export async function pageOrders(
  db: Db,
  userId: string,
  filter: OrderFilter,
  page: PageInput,
  now: Date,
): Promise<Page<OrderInFen>> {
  const { search, status, billingPeriod } = filter
  const asked = { userId, size: page.size, offset: page.page * page.size }
  const mine = () => ordersOf(db, userId, filter)
  const rows =
    search || status || billingPeriod ? await pageOfOrders(db, mine(), asked).execute() : await pageOfAll(db, asked)
  return toCountedPage(
    rows,
    (row) => toOrderView(row, now),
    page,
    () => countRows(db, mine()),
  )
}

type Place = { size: number | Expression<number>; offset: number | Expression<number> }

const pageOfAll = statement((db, given: Given<{ userId: string; size: number; offset: number }>) =>
  pageOfOrders(db, ordersOf(db, given('userId'), {}), { size: given('size'), offset: given('offset') }),
)

function pageOfOrders(db: Db, mine: ReturnType<typeof ordersOf>, { size, offset }: Place) {
  const ids = mine.orderBy('o.created_at', 'desc').orderBy('o.id', 'desc').limit(size).offset(offset)
  return (
    selectOrders(db)
      .select(countOf(mine).as('total'))
      // As an array it is found first, so only these rows are joined.
      .where(sql<boolean>`o.id = any(array(${ids}))`)
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc')
  )
}

/** Without a join: found and counted in one index. */
function ordersOf(db: Db, userId: string | Expression<string>, { search, status, billingPeriod }: OrderFilter) {
  let query = db.selectFrom('orders as o').select('o.id').where('o.user_id', '=', userId)
  if (status) query = query.where('o.status', '=', status)
  if (billingPeriod) query = query.where('o.period', '=', billingPeriod)
  return search ? query.where((eb) => isFound(eb, searchPattern(search))) : query
}

type Which = { id: string } | { number: string }

/** With its initial password's id and the orders placed with it. NOT_FOUND but for owner or administrator. */
export async function readOrder(db: Db, reader: { id: string; isAdmin: boolean }, which: Which, now: Date) {
  let query = selectOrders(db).select(['o.initial_secret_id', 'o.purchase_id'])
  query = 'id' in which ? query.where('o.id', '=', which.id) : query.where('o.number', '=', which.number)
  if (!reader.isAdmin) query = query.where('o.user_id', '=', reader.id)
  const row = await query.executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  const one = toOrderView(row, now)
  const view = row.purchase_id === null ? one : { ...one, orders: await ordersTogether(db, row.purchase_id, now) }
  return { view, initialSecretId: hasEnded(view.status) ? null : row.initial_secret_id }
}

async function ordersTogether(db: Db, purchaseId: string, now: Date): Promise<OrderInFen[]> {
  const rows = await selectOrders(db).where('o.purchase_id', '=', purchaseId).orderBy('o.id').execute()
  return rows.map((row) => toOrderView(row, now))
}
