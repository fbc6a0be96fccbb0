import { sql } from 'kysely'
import type { Db } from '../../db/client.js'

/** A group's dedicated servers are looked through up to here. */
const machinesAtMost = 1_000

/**
 * Dedicated servers that may be sold now, the oldest first: unsold, clean, and reached by a test of the last five minutes. The
 * one place that says so, for shop, quote and payment.
 */
export function dedicatedServersForSale(db: Db, groupId?: string) {
  const query = db
    .selectFrom('servers')
    .select(['id', 'group_id', 'generation', 'cpu_cores', 'memory_gb', 'storage_gb', 'operating_system'])
    .where('driver', '=', 'ssh')
    .where('is_sold', '=', false)
    .where('needs_cleaning', '=', false)
    .where('ssh_connectable', '=', true)
    .where('ssh_checked_at', '>', sql<Date>`clock_timestamp() - interval '5 minutes'`)
    .orderBy('created_at')
    .limit(machinesAtMost)
  return groupId === undefined ? query : query.where('group_id', '=', groupId)
}
