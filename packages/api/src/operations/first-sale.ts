import { firstSaleSteps, type FirstSaleStep } from '@vps/shared/first-sale'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { countFree, handsOut } from '../fleet/addresses.js'
import { isAlive } from '../fleet/is-alive.js'

export type Configured = { gateway: boolean; mail: boolean }

/** What is done of each step; null once anybody has ordered. */
export async function readFirstSale(
  db: Db,
  { gateway, mail }: Configured,
): Promise<{ step: FirstSaleStep; done: boolean }[] | null> {
  const { rows } = await sql<Record<FirstSaleStep, boolean>>`select
    exists (select from categories where is_active) as category,
    exists (select from server_groups where is_active) as "group",
    exists (select from price_groups where is_active) as "price-group",
    exists (select from images where kind = 'system' and is_active) as image,
    exists (select from hosts h join host_groups g on g.host_id = h.id join host_heartbeats b on b.host_id = h.id
      where h.status = 'READY' and ${isAlive('b')}) as host,
    exists (select from host_ip_pools hp join hosts h on h.id = hp.host_id join ip_pools i on i.id = hp.pool_id
      cross join lateral ${countFree(sql`i.id`, 1)} where ${handsOut} and few.n > 0) as addresses,
    ${gateway}::boolean as gateway,
    ${mail}::boolean as mail,
    exists (select from site_settings) as site
    where not exists (select from orders order by id limit 1)`.execute(db)
  const [done] = rows
  return done ? firstSaleSteps.map((step) => ({ step, done: done[step] })) : null
}
