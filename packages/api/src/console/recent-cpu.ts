import { sql } from 'kysely'
import { orderCan } from '@vps/shared/orders'
import { readRecentCpu } from '../metrics/read-recent.js'
import type { SignedInContext } from '../trpc/context.js'

/** Those that are the caller's and open to them, each since it is theirs. */
export async function readOwnCpu({ db, deps, user, now }: SignedInContext, ids: readonly string[]) {
  if (deps.config.consoleAccess === 'admins' && user.role !== 'ADMIN') return []
  const own = sql`
    select s.id, t.from_at as since from servers s
    join tenancies t on t.order_id = s.order_id join orders o on o.id = s.order_id
    where s.id = any(${ids}::uuid[]) and o.user_id = ${user.id} and o.status = any(${orderCan.openConsole.states}::text[])`
  return readRecentCpu({ db, engine: deps.metricEngine }, own, now())
}
