import type { Db } from '../../db/client.js'
import { isReachable } from '../../fleet/observed.js'
import { isOpen } from '../../jobs/is-open.js'

const machinesAtMost = 1_000

/**
 * Unsold, clean, with no act open, reached within five minutes; the oldest first. The one answer for shop, quote and
 * payment.
 */
export function dedicatedServersForSale(db: Db, groupId?: string) {
  const query = db
    .selectFrom('dedicated_servers as d')
    .innerJoin('servers as s', 's.id', 'd.server_id')
    .select(['s.id', 's.group_id', 's.generation', 's.cpu_cores', 's.memory_gb', 's.storage_gb', 'd.operating_system'])
    .where('d.is_sold', '=', false)
    .where('d.needs_cleaning', '=', false)
    .where(isReachable('s'))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('jobs as j').select('j.id').whereRef('j.server_id', '=', 's.id').where(isOpen('j')))),
    )
    .orderBy('s.created_at')
    .limit(machinesAtMost)
  return groupId === undefined ? query : query.where('s.group_id', '=', groupId)
}
