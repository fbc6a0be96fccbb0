import { sql, type Expression, type SqlBool } from 'kysely'

/** One round of a timer: how many due rows it takes, and which it leaves alone because they failed lately. */
export type Batch = { limit: number; avoid: readonly string[] }

/** Leaves out what the round leaves alone. An array, because `not in` may not be empty. */
export function outside(batch: Batch, column: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} <> all(${batch.avoid}::uuid[])`
}
