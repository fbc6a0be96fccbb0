import { sql, type Expression, type SqlBool } from 'kysely'

/** Due rows of a round, and those that failed lately and are skipped. */
export type Batch = { limit: number; avoid: readonly string[] }

/** An array, because `not in` may not be empty. */
export function outside(batch: Batch, column: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} <> all(${batch.avoid}::uuid[])`
}
