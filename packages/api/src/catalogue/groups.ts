import type { GroupInput } from '@vps/shared/catalogue.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { inNameOrder } from '../db/in-name-order.js'
import { sql, type Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import type { ServerGroups } from '../db/schema.generated.js'
import { fail } from '../errors.js'
import { leaveRetired } from '../fleet/leave-retired.js'
import { refuseStale } from '../refuse-stale.js'

type Search = PageInput & { search?: string | undefined }

function select(db: Db) {
  return db
    .selectFrom('server_groups as g')
    .innerJoin('categories as c', 'c.id', 'g.category_id')
    .selectAll('g')
    .select('c.name as categoryName')
    .select((eb) => [
      eb
        .selectFrom('servers as s')
        .select((s) => s.fn.countAll<number>().as('n'))
        .whereRef('s.group_id', '=', 'g.id')
        .where('s.released_at', 'is', null)
        .as('serverCount'),
      eb
        .selectFrom('price_groups as p')
        .select((p) => p.fn.countAll<number>().as('n'))
        .whereRef('p.server_group_id', '=', 'g.id')
        .as('priceGroupCount'),
      sql<string[]>`array(select h.name from host_groups hg join hosts h on h.id = hg.host_id where hg.group_id = g.id
        and h.status <> 'RETIRED' and exists (select from findings f where f.host_id = h.id
          and f.kind = 'no-bandwidth-limit' and f.resolved_at is null) order by ${inNameOrder('h.name')})`.as(
        'unlimitedHosts',
      ),
    ])
}

type Row = Selectable<ServerGroups> & {
  categoryName: string
  serverCount: number | null
  priceGroupCount: number | null
  unlimitedHosts: string[]
}
function toView(row: Row) {
  return {
    id: row.id,
    categoryId: row.category_id,
    categoryName: row.categoryName,
    name: row.name,
    description: row.description,
    region: row.region,
    country: row.country,
    city: row.city,
    placement: row.placement,
    cpuModel: row.cpu_model,
    sortOrder: row.sort_order,
    isActive: row.is_active,
    version: row.version,
    serverCount: row.serverCount ?? 0,
    priceGroupCount: row.priceGroupCount ?? 0,
    unlimitedHosts: row.unlimitedHosts,
  }
}

/** In the shop's order. */
export async function pageGroups(db: Db, input: Search): Promise<Page<ReturnType<typeof toView>>> {
  let filtered = db.selectFrom('server_groups as g').select('g.id')
  if (input.search) {
    const like = searchPattern(input.search)
    filtered = filtered.where((eb) =>
      eb.or((['g.name', 'g.description', 'g.region', 'g.city'] as const).map((name) => eb(name, 'ilike', like))),
    )
  }
  const [rows, count] = await Promise.all([
    select(db)
      .where('g.id', 'in', filtered)
      .orderBy('c.sort_order')
      .orderBy('g.sort_order')
      .orderBy(inNameOrder('g.name'))
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, filtered),
  ])
  return toPage(rows.map(toView), count, input)
}

/** NOT_FOUND. */
export async function readGroup(db: Db, id: string) {
  const row = await select(db).where('g.id', '=', id).executeTakeFirst()
  return row ? toView(row) : fail('NOT_FOUND')
}

const columns = (input: GroupInput) => ({
  category_id: input.categoryId,
  name: input.name,
  description: input.description,
  region: input.region,
  country: input.country,
  city: input.city,
  ...(input.placement ? { placement: input.placement } : {}),
  cpu_model: input.cpuModel,
  sort_order: input.sortOrder,
  is_active: input.isActive,
})

/** NAME_TAKEN within the category, UNKNOWN_RECORD for the category. */
export async function createGroup(tx: Tx, admin: User, input: GroupInput, now: Date): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('server_groups')
    .values({ id, ...columns(input), created_at: now, updated_at: now })
    .execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'group.create', subject: { kind: 'group', id }, details: { after: columns(input) } },
    now,
  )
  return id
}

/** NOT_FOUND, NAME_TAKEN, UNKNOWN_RECORD, CONFLICT with a newer version. */
export async function updateGroup(
  tx: Tx,
  admin: User,
  { id, ...input }: GroupInput & { id: string },
  now: Date,
): Promise<void> {
  const row = await tx.selectFrom('server_groups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  refuseStale(input.version, row.version, {
    categoryId: [input.categoryId, row.category_id],
    name: [input.name, row.name],
    description: [input.description, row.description],
    region: [input.region, row.region],
    country: [input.country, row.country],
    city: [input.city, row.city],
    placement: [input.placement ?? row.placement, row.placement],
    cpuModel: [input.cpuModel, row.cpu_model],
    sortOrder: [input.sortOrder, row.sort_order],
    isActive: [input.isActive, row.is_active],
  })
  await tx
    .updateTable('server_groups')
    .set({ ...columns(input), version: row.version + 1, updated_at: now })
    .where('id', '=', id)
    .execute()
  const details = changesOf(row, columns(input))
  await recordAudit(tx, actorOf(admin), { action: 'group.update', subject: { kind: 'group', id }, details }, now)
}

/** NOT_FOUND; IN_USE by a server, one that is gone, too, a price group, or a host not retired. */
export async function deleteGroup(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  await refuseWithPast(tx, id)
  await leaveRetired(tx, { groupId: id })
  const row = await tx.deleteFrom('server_groups').where('id', '=', id).returning('name').executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'group.delete', subject: { kind: 'group', id }, details: { before: row } },
    now,
  )
}

/** What was sold there stays in the books with its group, which lists no server any more. */
async function refuseWithPast(tx: Tx, id: string): Promise<void> {
  const { living, gone } = await tx
    .selectFrom('servers')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('released_at', 'is', null).as('living'),
      fn.countAll<number>().filterWhere('released_at', 'is not', null).as('gone'),
    ])
    .where('group_id', '=', id)
    .executeTakeFirstOrThrow()
  if (living === 0 && gone > 0)
    fail('IN_USE', { message: `已结束的 ${gone} 台服务器的记录属于此分组，无法删除；不再使用时，可在编辑中关闭“启用”` })
}
