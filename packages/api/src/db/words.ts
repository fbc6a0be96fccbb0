import { sql } from 'kysely'

/** Literals, for partial indexes. */
export const words = (list: readonly string[]) => list.map((word) => `'${word}'`).join(', ')

/** Whether a column is one of these words. */
export const isAmong = (column: string, list: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.raw(words(list))})`
