/**
 * An order's time on a server, written by the database (`keep_tenancies`, migrations/0024_tenancies.sql), never two at
 * a time.
 */
import { sql } from 'kysely'

/** `all` is for staff. */
export type Sight = { orderId: string; from: Date; until: Date | null } | 'all'

/** Whether what was seen of a server at a moment (a column) is in sight. */
export function inSight(sight: Sight, at: string) {
  if (sight === 'all') return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(at)} >= ${sight.from} and ${sql.ref(at)} < ${sight.until ?? 'infinity'})`
}
