import { sql } from 'kysely'

/** Columns that partial indexes compare with a word: by these names only what a check allows is kept. */
export const wordColumns: ReadonlySet<string> = new Set(['driver', 'kind', 'stage', 'state', 'status'])

/** Literals, for partial indexes. */
export const words = (list: readonly string[]) => list.map((word) => `'${word}'`).join(', ')

/** Whether a column is one of these words: for what Kysely cannot say. */
export const isAmong = (column: string, list: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} in (${sql.raw(words(list))})`
