/**
 * A tenancy is an order's time on a server. The database writes it as servers are given and taken away
 * (`keep_tenancies`, migrations/0024_tenancies.sql), never two at a time for one server; here is who sees what of it.
 */
import { sql } from 'kysely'

/** What of a server's life a reader sees: a tenancy; staff all of it. */
export type Sight = { orderId: string; from: Date; until: Date | null } | 'all'

/** Whether what was seen of a server at a moment (a column) is in sight. */
export function inSight(sight: Sight, at: string) {
  if (sight === 'all') return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(at)} >= ${sight.from} and ${sql.ref(at)} < ${sight.until ?? 'infinity'})`
}
