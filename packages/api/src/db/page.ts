import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Db } from './client.js'
import { must } from '../must.js'

/** Exact up to here; a longer list says `约` (decisions, "REST adapter"). */
const countedUpTo = 10_000

/**
 * How many rows a filtered query has, looked at up to 10,000, so that a long list costs no more than that. Give it in
 * the order of an index: unordered, PostgreSQL may rather read a whole table for the first ten thousand of it.
 */
export async function countRows<DB, TB extends keyof DB, O>(db: Db, query: SelectQueryBuilder<DB, TB, O>) {
  const limited = query.limit(countedUpTo + 1)
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${limited} as counted`.execute(db)
  const { count } = must(rows[0])
  return count > countedUpTo ? { totalElements: countedUpTo, totalIsEstimate: true } : { totalElements: count }
}

type Count = { totalElements: number; totalIsEstimate?: boolean }

/** A page of the wire from its rows and their count. */
export function toPage<T>(content: T[], count: Count, { page, size }: PageInput): Page<T> {
  return { content, ...count, totalPages: Math.ceil(count.totalElements / size), number: page, size }
}

/** A search text as a pattern of `ilike`: what a person types is never a wildcard. */
export function searchPattern(text: string): string {
  return `%${escaped(text)}%`
}

/**
 * The same for a table that may be large, whose columns have an index of trigrams: a text too short to hold one matches
 * from the beginning, which the index can answer, too.
 */
export function indexedPattern(text: string): string {
  return [...text].length < 3 ? `${escaped(text)}%` : searchPattern(text)
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/**
 * The ids of one page, read first and by themselves: joins are then made for these rows only. As a subquery PostgreSQL
 * would rather read the whole table beside it.
 */
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

/** Whether a column is one of these ids; none at all is no row. */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${[...ids]}::uuid[])`
}
