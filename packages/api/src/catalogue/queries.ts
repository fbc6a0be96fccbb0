import { parseSalesDocument, type OsOption, type PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { defaultSpec, mbpsIn, type MachineTerms, type ServerSpec } from '@vps/shared/servers'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { inNameOrder } from '../db/in-name-order.js'
import type { Db } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { statement, type Given } from '../db/statement.js'
import type { Images, PriceGroups } from '../db/schema.generated.js'
import { natPortsOf } from '../fleet/nat-pools.js'

/** On sale, in order. */
export function categoriesOnSale(db: Db) {
  return db
    .selectFrom('categories')
    .select(['id', 'name', 'description', 'sort_order as sortOrder', 'is_active as isActive'])
    .where('is_active', '=', true)
    .orderBy('sort_order')
    .orderBy(inNameOrder('name'))
}

/** In categories on sale. */
export function groupsOnSale(db: Db) {
  return db
    .selectFrom('server_groups as g')
    .innerJoin('categories as c', 'c.id', 'g.category_id')
    .select(['g.id', 'g.category_id as categoryId', 'c.name as categoryName', 'g.name', 'g.description'])
    .select(['g.region', 'g.country', 'g.city', 'g.sort_order as sortOrder', 'g.is_active as isActive'])
    .where('g.is_active', '=', true)
    .where('c.is_active', '=', true)
    .orderBy('c.sort_order')
    .orderBy('g.sort_order')
    .orderBy(inNameOrder('g.name'))
}

const imageColumns = [
  'id',
  'os_name',
  'os_version',
  'file',
  'sha256',
  'readiness',
  'username',
  'min_disk_gb',
  'firmware',
] as const

export type OfferedImage = Pick<Selectable<Images>, (typeof imageColumns)[number]>

/** On sale, in order. */
export function imagesOnSale(db: Db) {
  return db
    .selectFrom('images')
    .select(imageColumns)
    .where('kind', '=', 'system')
    .where('is_active', '=', true)
    .orderBy('sort_order')
    .orderBy(inNameOrder('os_name'))
    .orderBy(inNameOrder('os_version'))
}

/** Systems that can be installed. */
export async function osOptions(db: Db): Promise<OsOption[]> {
  return systemsOf(await imagesOnSale(db).execute())
}

/** Names with versions, in the images' order. */
export function systemsOf(rows: readonly Pick<Selectable<Images>, 'os_name' | 'os_version'>[]): OsOption[] {
  const options = new Map<string, string[]>()
  for (const row of rows) options.set(row.os_name, [...(options.get(row.os_name) ?? []), row.os_version])
  return [...options].map(([name, versions]) => ({ name, versions }))
}

/** Without a structured document: the first server's specs, else the defaults. */
const groupDefaults = sql<GroupDefaults | null>`(
  select jsonb_build_object('cpuCores', s.cpu_cores, 'memoryGb', s.memory_gb, 'storageGb', s.storage_gb,
    'line', coalesce(d.network_speed, ''))
  from servers s join dedicated_servers d on d.server_id = s.id where s.group_id = g.id order by s.created_at limit 1)`

type GroupDefaults = { cpuCores: number; memoryGb: number; storageGb: number; line: string }

function specOf({ line, ...spec }: GroupDefaults): ServerSpec {
  return { ...defaultSpec, ...spec, bandwidthMbps: mbpsIn(line) }
}

type Timestamps = 'discount_start' | 'discount_end' | 'created_at' | 'updated_at'
type PriceGroupRow = Omit<Selectable<PriceGroups>, Timestamps> & {
  discount_start: Date | string | null
  discount_end: Date | string | null
  defaults: GroupDefaults | null
  keepsBackups: boolean
  natPorts: number | null
}

export type PricedGroup = Omit<PriceGroupInFen, 'available'>

/** A row of `selectPriceGroups` as a view. */
export function toPricedGroup(row: PriceGroupRow, systems: OsOption[]): PricedGroup {
  const document = parseSalesDocument(row.sales_page_html)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    hourlyPrice: row.hourly_fen,
    dailyPrice: row.daily_fen,
    monthlyPrice: row.monthly_fen,
    quarterlyPrice: row.quarterly_fen,
    semiAnnualPrice: row.semi_annual_fen,
    annualPrice: row.annual_fen,
    sortOrder: row.sort_order,
    isActive: row.is_active,
    serverGroupId: row.server_group_id,
    salesPageHtml: row.sales_page_html,
    hasDiscount: row.has_discount,
    discountPercentage: row.discount_percentage,
    discountStartTime: row.discount_start && new Date(row.discount_start).toISOString(),
    discountEndTime: row.discount_end && new Date(row.discount_end).toISOString(),
    unitRates: {
      cpu: row.cpu_rate_fen,
      memory: row.memory_rate_fen,
      storage: row.storage_rate_fen,
      bandwidth: row.bandwidth_rate_fen,
      ip: row.ip_rate_fen,
      backup: row.backup_rate_fen,
    },
    natPorts: row.natPorts,
    mostBackups: row.keepsBackups && row.defaults === null ? row.most_backups : 0,
    included: document
      ? {
          cpuCores: document.cpu_cores,
          memoryGb: document.memory,
          storageGb: document.disk_space,
          bandwidthMbps: document.network_speed,
          ipCount: document.ip_count,
        }
      : row.defaults
        ? specOf(row.defaults)
        : defaultSpec,
    locked: document !== null,
    dedicated: row.defaults !== null,
    osOptions: narrowed(document?.operating_system ?? [], systems),
  }
}

/** A document may narrow the systems, not add any. */
function narrowed(wanted: OsOption[], systems: OsOption[]): OsOption[] {
  if (wanted.length === 0) return systems
  return wanted.flatMap(({ name, versions }) => {
    const has = systems.find((system) => system.name === name)
    const both = has ? versions.filter((version) => has.versions.includes(version)) : []
    return both.length > 0 ? [{ name, versions: both }] : []
  })
}

/** On sale or not. */
export function selectPriceGroups(db: Db) {
  return db
    .selectFrom('price_groups as p')
    .innerJoin('server_groups as g', 'g.id', 'p.server_group_id')
    .innerJoin('categories as c', 'c.id', 'g.category_id')
    .selectAll('p')
    .select(groupDefaults.as('defaults'))
    .select(sql<boolean>`exists (select from backup_repositories r where r.is_current)`.as('keepsBackups'))
    .select(natPortsOf(sql.ref('g.id')).as('natPorts'))
}

function onSale(db: Db) {
  return selectPriceGroups(db)
    .where('p.is_active', '=', true)
    .where('g.is_active', '=', true)
    .where('c.is_active', '=', true)
}

/** On sale, in order. */
export function priceGroupsOnSale(db: Db) {
  return onSale(db).orderBy('p.sort_order').orderBy(inNameOrder('p.name'))
}

/** All that an order needs, in one statement. Null: not on sale. */
export async function findOffer(db: Db, priceGroupId: string): Promise<Offer | null> {
  return toOffer(await offered(db, { priceGroupId }))
}

/** The same for a standing order. */
export async function findOfferOf(db: Db, orderId: string): Promise<Offer | null> {
  return toOffer(await offeredFor(db, { orderId }))
}

export type Offer = {
  group: PricedGroup
  groupName: string
  terms: MachineTerms
  images: OfferedImage[]
  hasDedicatedServers: boolean
}

const selectOffer = (db: Db) =>
  onSale(db)
    .select(['g.name as groupName', 'g.cpu_model'])
    .select(jsonArrayFrom(imagesOnSale(db)).as('images'))

const offered = statement((db, given: Given<{ priceGroupId: string }>) =>
  selectOffer(db).where('p.id', '=', given('priceGroupId')),
)
const offeredFor = statement((db, given: Given<{ orderId: string }>) =>
  selectOffer(db).where('p.id', '=', ({ selectFrom }) =>
    selectFrom('orders').select('price_group_id').where('orders.id', '=', given('orderId')),
  ),
)

function toOffer([row]: Awaited<ReturnType<typeof offered>>): Offer | null {
  if (!row) return null
  const images: OfferedImage[] = row.images
  return {
    group: toPricedGroup(row, systemsOf(images)),
    groupName: row.groupName,
    terms: { diskIops: row.disk_iops, diskMbPerSecond: row.disk_mb_per_second, cpuModel: row.cpu_model },
    images,
    hasDedicatedServers: row.defaults !== null,
  }
}

/** Null: not on sale. */
export async function findPriceGroup(db: Db, id: string): Promise<PricedGroup | null> {
  return (await findOffer(db, id))?.group ?? null
}

/** Of these, by id, those on sale. */
export async function findPriceGroups(db: Db, ids: readonly string[]): Promise<Map<string, PricedGroup>> {
  if (ids.length === 0) return new Map()
  const rows = await onSale(db).where(isOneOf('p.id', ids)).execute()
  return new Map(rows.map((row) => [row.id, toPricedGroup(row, [])]))
}

/** Also off sale: what an order has is still priced by it. */
export async function findOwnPriceGroup(db: Db, id: string): Promise<PricedGroup | null> {
  const row = await selectPriceGroups(db).where('p.id', '=', id).executeTakeFirst()
  return row ? toPricedGroup(row, []) : null
}

/** By system name and version, or null. */
export async function findImage(db: Db, osName: string, osVersion: string) {
  const row = await db
    .selectFrom('images')
    .selectAll()
    .where('os_name', '=', osName)
    .where('os_version', '=', osVersion)
    .where('kind', '=', 'system')
    .where('is_active', '=', true)
    .executeTakeFirst()
  return row ?? null
}
