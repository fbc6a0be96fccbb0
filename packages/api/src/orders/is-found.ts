import { sql, type ExpressionBuilder } from 'kysely'
import type { DB } from '../db/schema.generated.js'

/** Order `o`, by what its owner sees of it. */
export function isFound(eb: ExpressionBuilder<DB & { o: DB['orders'] }, 'o'>, pattern: string) {
  const server = eb
    .selectFrom('servers as s')
    .whereRef('s.id', '=', 'o.server_id')
    .whereRef('s.order_id', '=', 'o.id')
    .where('s.name', 'ilike', pattern)
  const system = sql<string>`coalesce((select x.os_name || ' ' || x.os_version from servers x
    where x.id = o.server_id and x.order_id = o.id), o.os_name || ' ' || o.os_version)`
  const addresses = sql<boolean>`exists (select from servers x
    left join dedicated_servers d on d.server_id = x.id
    left join placements p on p.server_id = x.id
    left join addresses a on a.placement_id = p.id
    left join ip_pools i on i.id = a.pool_id
    where x.id = o.server_id and x.order_id = o.id
      and coalesce(host(d.ip), host(i.nat_address), host(a.address)) like ${pattern})`
  const labels = sql<string>`array_to_string(o.labels, ' ')`
  const own = ['o.number', 'o.server_name', system, labels] as const
  return eb.or([...own.map((value) => eb(value, 'ilike', pattern)), addresses, eb.exists(server)])
}
