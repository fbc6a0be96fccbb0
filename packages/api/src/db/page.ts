import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql, type OperationNodeSource, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Db } from './client.js'
import { must } from '../must.js'

/** A longer list says `约` (decisions, "REST adapter"). */
const countedUpTo = 10_000

/** Up to 10,000. Order it by an index, or PostgreSQL may read the whole table. */
export async function countRows<DB, TB extends keyof DB, O>(db: Db, query: SelectQueryBuilder<DB, TB, O>) {
  const { rows } = await sql<{ count: number }>`select ${countOf(query)} as count`.execute(db)
  return toCount(must(rows[0]).count)
}

/** The same beside each row, in one statement. */
export function countOf<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) {
  return sql<number>`(select count(*) from ${query.limit(countedUpTo + 1)} as counted)`
}

const toCount = (count: number): Count =>
  count > countedUpTo ? { totalElements: countedUpTo, totalIsEstimate: true } : { totalElements: count }

/** Of rows that say how many there are; `count` asks again where none is left. */
export async function toCountedPage<R extends { total: number }, T>(
  rows: readonly R[],
  toView: (row: R) => T,
  page: PageInput,
  count: () => Promise<Count>,
): Promise<Page<T>> {
  const [first] = rows
  const total = first ? toCount(first.total) : page.page === 0 ? { totalElements: 0 } : await count()
  return toPage(rows.map(toView), total, page)
}

type Count = { totalElements: number; totalIsEstimate?: boolean }

/** For the wire. */
export function toPage<T>(content: T[], count: Count, { page, size }: PageInput): Page<T> {
  return { content, ...count, totalPages: Math.ceil(count.totalElements / size), number: page, size }
}

/** Nothing typed is a wildcard. */
export function searchPattern(text: string): string {
  return `%${escaped(text)}%`
}

/** For a trigram index; a shorter text matches from the beginning. */
export function indexedPattern(text: string): string {
  return [...text].length < 3 ? `${escaped(text)}%` : searchPattern(text)
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** Read first and alone, so that only these rows are joined: with a subquery PostgreSQL reads the whole table. */
export async function pageOfIds<T extends { id: string }>(
  query: { limit(n: number): { offset(n: number): { execute(): Promise<T[]> } } },
  { page, size }: PageInput,
): Promise<string[]> {
  const rows = await query
    .limit(size)
    .offset(page * size)
    .execute()
  return rows.map((row) => row.id)
}

/** With the count. */
export async function pageOfAll<DB, TB extends keyof DB>(
  db: Db,
  ordered: SelectQueryBuilder<DB, TB, { id: string }>,
  page: PageInput,
): Promise<{ ids: string[]; count: Count }> {
  const [ids, count] = await Promise.all([pageOfIds(ordered, page), countRows(db, ordered)])
  return { ids, count }
}

/** By ids. */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${[...ids]}::uuid[])`
}

/** Selects `id` and `created_at`. */
type Search = { limit(n: number): OperationNodeSource }

/**
 * The newest of all searches, each by its own index; `all` finds the same, newest first. In one statement PostgreSQL
 * walks the whole table for what is rare.
 */
export async function pageOfFound(
  db: Db,
  searches: readonly Search[],
  all: Parameters<typeof pageOfIds>[0],
  page: PageInput,
): Promise<{ ids: string[]; count: Count }> {
  const found = sql.join(
    searches.map((search) => sql`${search.limit(countedUpTo + 1)}`),
    sql` union `,
  )
  const { rows } = await sql<{ ids: string[]; count: number }>`
    with found as materialized (${found})
    select (select count(*) from found) as count, array(select id from found order by created_at desc, id desc
      limit ${page.size} offset ${page.page * page.size}) as ids`.execute(db)
  const { ids, count } = must(rows[0])
  return { ids: count > countedUpTo ? await pageOfIds(all, page) : ids, count: toCount(count) }
}
