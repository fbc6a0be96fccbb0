import type { HostLoad } from '@vps/shared/hosts.contract'
import type { MetricRange } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { readMeans } from '../db/series.js'
import { fail } from '../errors.js'

const columns = ['cpuUsage', 'memoryUsage', 'diskUsage', 'load1'] as const

/** NOT_FOUND. */
export async function readHostLoad(db: Db, id: string, range: MetricRange, now: Date): Promise<HostLoad> {
  const host = await db.selectFrom('hosts').select('id').where('id', '=', id).executeTakeFirst()
  if (!host) fail('NOT_FOUND')
  return readMeans(
    db,
    { range, columns, now },
    (since) => sql`
      select at, cpu_usage as "cpuUsage", memory_usage as "memoryUsage", disk_usage as "diskUsage", load1
      from host_samples where host_id = ${id} and at >= ${since}`,
  )
}
