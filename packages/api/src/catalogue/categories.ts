import type { CategoryInput } from '@vps/shared/catalogue.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { inNameOrder } from '../db/in-name-order.js'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, searchPattern, toPage } from '../db/page.js'
import { fail } from '../errors.js'
import { refuseStale } from '../refuse-stale.js'

type Search = PageInput & { search?: string | undefined }

/** In order, with how many groups each holds. */
export async function pageCategories(db: Db, input: Search): Promise<Page<ReturnType<typeof toView>>> {
  let query = db.selectFrom('categories as c')
  if (input.search) {
    const like = searchPattern(input.search)
    query = query.where((eb) => eb.or([eb('c.name', 'ilike', like), eb('c.description', 'ilike', like)]))
  }
  const [rows, count] = await Promise.all([
    query
      .selectAll('c')
      .select((eb) =>
        eb
          .selectFrom('server_groups as g')
          .select((g) => g.fn.countAll<number>().as('n'))
          .whereRef('g.category_id', '=', 'c.id')
          .as('groupCount'),
      )
      .orderBy('c.sort_order')
      .orderBy(inNameOrder('c.name'))
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, query.select('c.id')),
  ])
  return toPage(rows.map(toView), count, input)
}

type Row = {
  id: string
  name: string
  description: string | null
  sort_order: number
  is_active: boolean
  version: number
  groupCount: number | null
}
function toView(row: Row) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    sortOrder: row.sort_order,
    isActive: row.is_active,
    version: row.version,
    groupCount: row.groupCount ?? 0,
  }
}

const columns = (input: CategoryInput) => ({
  name: input.name,
  description: input.description,
  sort_order: input.sortOrder,
  is_active: input.isActive,
})

/** NAME_TAKEN. */
export async function createCategory(tx: Tx, admin: User, input: CategoryInput, now: Date): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('categories')
    .values({ id, ...columns(input), created_at: now, updated_at: now })
    .execute()
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'category.create', subject: { kind: 'category', id }, details: { after: columns(input) } },
    now,
  )
  return id
}

/** NOT_FOUND, NAME_TAKEN, CONFLICT with a newer version. */
export async function updateCategory(
  tx: Tx,
  admin: User,
  { id, ...input }: CategoryInput & { id: string },
  now: Date,
): Promise<void> {
  const row = await tx.selectFrom('categories').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  refuseStale(input.version, row.version, {
    name: [input.name, row.name],
    description: [input.description, row.description],
    sortOrder: [input.sortOrder, row.sort_order],
    isActive: [input.isActive, row.is_active],
  })
  await tx
    .updateTable('categories')
    .set({ ...columns(input), version: row.version + 1, updated_at: now })
    .where('id', '=', id)
    .execute()
  const details = changesOf(row, columns(input))
  await recordAudit(tx, actorOf(admin), { action: 'category.update', subject: { kind: 'category', id }, details }, now)
}

/** NOT_FOUND; IN_USE by a group. */
export async function deleteCategory(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const row = await tx.deleteFrom('categories').where('id', '=', id).returning('name').executeTakeFirst()
  if (!row) fail('NOT_FOUND')
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'category.delete', subject: { kind: 'category', id }, details: { before: row } },
    now,
  )
}
