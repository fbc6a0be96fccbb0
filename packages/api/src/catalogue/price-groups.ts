import * as text from '@vps/shared/text'
import { inNameOrder } from '../db/in-name-order.js'
import { discountActive } from '@vps/shared/catalogue'
import { discountFaults } from '@vps/shared/discounts'
import type { AdminPriceGroupInFen, PriceGroupInput } from '@vps/shared/catalogue.contract'
import { yuan } from '@vps/shared/money'
import { endedStatuses } from '@vps/shared/orders'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import type { PriceGroups } from '../db/schema.generated.js'
import { fail } from '../errors.js'
import { osOptions, selectPriceGroups, toPricedGroup } from './queries.js'
import { refuseStale } from '../refuse-stale.js'

type Search = PageInput & { search?: string | undefined }

/** Also those not on sale. */
export async function pagePriceGroups(db: Db, input: Search, now: Date): Promise<Page<AdminPriceGroupInFen>> {
  let filtered = db.selectFrom('price_groups as p').select('p.id')
  if (input.search) {
    const like = searchPattern(input.search)
    filtered = filtered.where((eb) => eb.or([eb('p.name', 'ilike', like), eb('p.description', 'ilike', like)]))
  }
  const systems = await osOptions(db)
  const [rows, count] = await Promise.all([
    selectPriceGroups(db)
      .select('g.name as groupName')
      .where('p.id', 'in', filtered)
      .orderBy('p.sort_order')
      .orderBy(inNameOrder('p.name'))
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, filtered),
  ])
  const content = rows.map((row) => {
    const group = toPricedGroup(row, systems)
    return {
      ...group,
      version: row.version,
      ...termsIn(row),
      serverGroupName: row.groupName,
      discountActive: discountActive(group, now),
    }
  })
  return toPage(content, count, input)
}

/** NOT_FOUND. */
export async function readPriceGroup(db: Db, id: string, now: Date): Promise<AdminPriceGroupInFen> {
  const row = await selectPriceGroups(db).select('g.name as groupName').where('p.id', '=', id).executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  const group = toPricedGroup(row, await osOptions(db))
  const discountIsActive = discountActive(group, now)
  const { version, groupName: serverGroupName } = row
  return { ...group, ...termsIn(row), version, serverGroupName, discountActive: discountIsActive }
}

type Terms = Pick<Selectable<PriceGroups>, 'snapshots' | 'most_backups' | 'disk_iops' | 'disk_mb_per_second'>

const termsIn = ({ snapshots, most_backups, disk_iops, disk_mb_per_second }: Terms) => ({
  snapshots,
  mostBackups: most_backups,
  diskIops: disk_iops,
  diskMbPerSecond: disk_mb_per_second,
})

/** Whether another price group has the name. */
export async function priceGroupNameExists(db: Db, name: string, excludeId?: string): Promise<boolean> {
  let query = db.selectFrom('price_groups').select('id').where('name', '=', name)
  if (excludeId) query = query.where('id', '<>', excludeId)
  return (await query.executeTakeFirst()) !== undefined
}

const columns = (input: PriceGroupInput) => ({
  name: input.name,
  description: input.description,
  server_group_id: input.serverGroupId,
  hourly_fen: input.hourlyPrice,
  daily_fen: input.dailyPrice,
  monthly_fen: input.monthlyPrice,
  quarterly_fen: input.quarterlyPrice,
  semi_annual_fen: input.semiAnnualPrice,
  annual_fen: input.annualPrice,
  cpu_rate_fen: input.cpuRate,
  memory_rate_fen: input.memoryRate,
  storage_rate_fen: input.storageRate,
  bandwidth_rate_fen: input.bandwidthRate,
  ip_rate_fen: input.ipRate,
  backup_rate_fen: input.backupRate,
  most_backups: input.mostBackups,
  sales_page_html: input.salesPageHtml,
  snapshots: input.snapshots,
  disk_iops: input.diskIops,
  disk_mb_per_second: input.diskMbPerSecond,
  sort_order: input.sortOrder,
  is_active: input.isActive,
  ...discountColumns(input),
})

type Discount = Pick<PriceGroupInput, 'hasDiscount' | 'discountPercentage' | 'discountStartTime' | 'discountEndTime'>

function discountColumns(input: Discount) {
  const on = input.hasDiscount
  return {
    has_discount: on,
    discount_percentage: on ? input.discountPercentage : null,
    discount_start: on ? input.discountStartTime : null,
    discount_end: on ? input.discountEndTime : null,
  }
}

/** `names`: what the call names otherwise. */
function refuseBadDiscount(
  input: Discount,
  before: Selectable<PriceGroups> | null,
  now: Date,
  names: Record<string, string> = {},
): void {
  if (!input.hasDiscount) return
  const old = before && { discountStartTime: before.discount_start, discountEndTime: before.discount_end }
  const faults = discountFaults(input, old, now)
  if (input.discountPercentage === null) faults['discountPercentage'] = text.discountRequired
  const errors = Object.fromEntries(Object.entries(faults).map(([field, fault]) => [names[field] ?? field, fault]))
  const [message] = Object.values(errors)
  if (message) fail('INVALID_INPUT', { message, errors })
}

/** NAME_TAKEN, UNKNOWN_RECORD for the group, INVALID_INPUT for a bad discount. */
export async function createPriceGroup(tx: Tx, admin: User, input: PriceGroupInput, now: Date): Promise<string> {
  refuseBadDiscount(input, null, now)
  const id = uuidv7()
  await tx
    .insertInto('price_groups')
    .values({ id, ...columns(input), created_at: now, updated_at: now })
    .execute()
  const details = { after: columns(input) }
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'price-group.create', subject: { kind: 'price-group', id }, details },
    now,
  )
  return id
}

/** NOT_FOUND, NAME_TAKEN, UNKNOWN_RECORD, INVALID_INPUT, CONFLICT with a newer version; IN_USE for another group. */
export async function updatePriceGroup(
  tx: Tx,
  admin: User,
  { id, ...input }: PriceGroupInput & { id: string },
  now: Date,
): Promise<void> {
  const row = await lockPriceGroup(tx, id)
  const next = columns(input)
  refuseStale(input.version, row.version, {
    name: [next.name, row.name],
    description: [next.description, row.description],
    serverGroupId: [next.server_group_id, row.server_group_id],
    hourlyPrice: [yuan.encode(next.hourly_fen), yuan.encode(row.hourly_fen)],
    dailyPrice: [yuan.encode(next.daily_fen), yuan.encode(row.daily_fen)],
    monthlyPrice: [yuan.encode(next.monthly_fen), yuan.encode(row.monthly_fen)],
    quarterlyPrice: [yuan.encode(next.quarterly_fen), yuan.encode(row.quarterly_fen)],
    semiAnnualPrice: [yuan.encode(next.semi_annual_fen), yuan.encode(row.semi_annual_fen)],
    annualPrice: [yuan.encode(next.annual_fen), yuan.encode(row.annual_fen)],
    cpuRate: [yuan.encode(next.cpu_rate_fen), yuan.encode(row.cpu_rate_fen)],
    memoryRate: [yuan.encode(next.memory_rate_fen), yuan.encode(row.memory_rate_fen)],
    storageRate: [yuan.encode(next.storage_rate_fen), yuan.encode(row.storage_rate_fen)],
    bandwidthRate: [yuan.encode(next.bandwidth_rate_fen), yuan.encode(row.bandwidth_rate_fen)],
    ipRate: [yuan.encode(next.ip_rate_fen), yuan.encode(row.ip_rate_fen)],
    backupRate: [yuan.encode(next.backup_rate_fen), yuan.encode(row.backup_rate_fen)],
    mostBackups: [next.most_backups, row.most_backups],
    salesPageHtml: [next.sales_page_html, row.sales_page_html],
    hasDiscount: [next.has_discount, row.has_discount],
    discountPercentage: [next.discount_percentage, row.discount_percentage],
    discountStartTime: [isoOf(next.discount_start), isoOf(row.discount_start)],
    discountEndTime: [isoOf(next.discount_end), isoOf(row.discount_end)],
    snapshots: [next.snapshots, row.snapshots],
    diskIops: [next.disk_iops, row.disk_iops],
    diskMbPerSecond: [next.disk_mb_per_second, row.disk_mb_per_second],
    sortOrder: [next.sort_order, row.sort_order],
    isActive: [next.is_active, row.is_active],
  })
  refuseBadDiscount(input, row, now)
  if (next.server_group_id !== row.server_group_id) await refuseOrdered(tx, id)
  await tx
    .updateTable('price_groups')
    .set({ ...next, version: row.version + 1, updated_at: now })
    .where('id', '=', id)
    .execute()
  const details = changesOf(row, next)
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'price-group.update', subject: { kind: 'price-group', id }, details },
    now,
  )
}

/**
 * Servers are set up where their price group is when paid: unpaid orders meant another place, and paid ones would be
 * renewed and upgraded at its prices.
 */
async function refuseOrdered(tx: Tx, id: string): Promise<void> {
  const { count } = await tx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.or([eb('price_group_id', '=', id), eb('id', 'in', ordersMovingTo(tx, id))]))
    .where('status', 'not in', [...endedStatuses])
    .executeTakeFirstOrThrow()
  if (count === 0) return
  const message = `仍有 ${count} 个未结束的订单使用此价格组，无法更改分组；可以为另一分组新建价格组`
  fail('IN_USE', { message, errors: { serverGroupId: message } })
}

/** Theirs once the machine is as large. */
const ordersMovingTo = (tx: Tx, id: string) =>
  tx.selectFrom('order_upgrades').select('order_id').where('price_group_id', '=', id).where('status', '=', 'PENDING')

const isoOf = (at: Date | null) => at?.toISOString() ?? null

/** NOT_FOUND; IN_USE by an order. */
export async function deletePriceGroup(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await tx.deleteFrom('price_groups').where('id', '=', id).returning('name').executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'price-group.delete', subject: { kind: 'price-group', id }, details: { before: row } },
    now,
  )
}

type Seen = { version?: number | undefined }

/** Stored base prices stay. NOT_FOUND, INVALID_INPUT, CONFLICT with a newer version. */
export async function applyDiscount(
  tx: Tx,
  admin: User,
  { id, ...discount }: Omit<Discount, 'hasDiscount'> & Seen & { id: string },
  now: Date,
): Promise<void> {
  const row = await lockPriceGroup(tx, id)
  const next = { ...discount, hasDiscount: true }
  refuseStale(discount.version, row.version, {
    discountPercentage: [next.discountPercentage, row.discount_percentage],
    startTime: [isoOf(next.discountStartTime), isoOf(row.discount_start)],
    endTime: [isoOf(next.discountEndTime), isoOf(row.discount_end)],
  })
  refuseBadDiscount(next, row, now, { discountStartTime: 'startTime', discountEndTime: 'endTime' })
  await saveDiscount(tx, admin, row, next, 'price-group.apply-discount', now)
}

/** NOT_FOUND, CONFLICT with a newer version. */
export async function restorePrices(tx: Tx, admin: User, seen: Seen & { id: string }, now: Date): Promise<void> {
  const row = await lockPriceGroup(tx, seen.id)
  refuseStale(seen.version, row.version, { discountPercentage: [null, row.discount_percentage] })
  const none = { hasDiscount: false, discountPercentage: null, discountStartTime: null, discountEndTime: null }
  await saveDiscount(tx, admin, row, none, 'price-group.restore-prices', now)
}

async function lockPriceGroup(tx: Tx, id: string): Promise<Selectable<PriceGroups>> {
  const row = await tx.selectFrom('price_groups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ?? fail('NOT_FOUND')
}

async function saveDiscount(
  tx: Tx,
  admin: User,
  row: Selectable<PriceGroups>,
  discount: Discount,
  action: string,
  now: Date,
) {
  const columns = discountColumns(discount)
  await tx
    .updateTable('price_groups')
    .set({ ...columns, version: row.version + 1, updated_at: now })
    .where('id', '=', row.id)
    .execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action, subject: { kind: 'price-group', id: row.id }, details: changesOf(row, columns) },
    now,
  )
}
