import { firstSaleSteps, type FirstSaleStep } from '@vps/shared/first-sale'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { countFree, handsOut } from '../fleet/addresses.js'
import { isAlive } from '../fleet/is-alive.js'
import { readMailFault } from '../mail/mail-fault.js'

export type Configured = { gateway: boolean; mail: boolean }

/** What is done of each step; null once anybody has ordered. */
export async function readFirstSale(
  db: Db,
  { gateway, mail }: Configured,
): Promise<{ step: FirstSaleStep; done: boolean }[] | null> {
  const { rows } = await sql<Record<Exclude<FirstSaleStep, 'mail'>, boolean>>`select
    exists (select from categories where is_active) as category,
    exists (select from server_groups where is_active) as "group",
    exists (select from price_groups where is_active) as "price-group",
    exists (select from images where kind = 'system' and is_active) as image,
    exists (select from ip_pools i cross join lateral ${countFree(sql`i.id`, 1)} where few.n > 0) as addresses,
    exists (select from hosts h join host_groups g on g.host_id = h.id join host_heartbeats b on b.host_id = h.id
      join host_ip_pools hp on hp.host_id = h.id join ip_pools i on i.id = hp.pool_id
      cross join lateral ${countFree(sql`i.id`, 1)}
      where h.status = 'READY' and ${isAlive('b')} and ${handsOut} and few.n > 0) as host,
    ${gateway}::boolean as gateway,
    exists (select from site_settings) as site
    where not exists (select from orders order by id limit 1)`.execute(db)
  const [read] = rows
  if (!read) return null
  const done = { ...read, mail: (await readMailFault(db, mail)) === null }
  return firstSaleSteps.map((step) => ({ step, done: done[step] }))
}
