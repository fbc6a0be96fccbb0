import type { Page, PageInput } from '@vps/shared/page'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from './client.js'

/** Exact up to here; a longer list says `约` (decisions, "REST adapter"). */
const countedUpTo = 10_000

/** How many rows a filtered query has, looked at up to 10,000, so that a long list costs no more than that. */
export async function countRows<DB, TB extends keyof DB, O>(db: Db, query: SelectQueryBuilder<DB, TB, O>) {
  const limited = query.limit(countedUpTo + 1).as('counted')
  const row = await db
    .selectFrom(limited as never)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  const { count } = row as { count: number }
  return count > countedUpTo ? { totalElements: countedUpTo, totalIsEstimate: true } : { totalElements: count }
}

type Count = { totalElements: number; totalIsEstimate?: boolean }

/** A page of the wire from its rows and their count. */
export function toPage<T>(content: T[], count: Count, { page, size }: PageInput): Page<T> {
  return { content, ...count, totalPages: Math.ceil(count.totalElements / size), number: page, size }
}

/** A search text as a pattern of `ilike`: what a person types is never a wildcard. */
export function searchPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
