import type { MetricRange } from '@vps/shared/servers'
import type { MetricSeries } from '@vps/shared/servers.contract'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { readMeans } from '../db/series.js'
import { inSight, type Sight } from '../servers/tenancies.js'

const columns = ['cpuUsage', 'memoryUsage', 'diskUsage', 'rxRate', 'txRate'] as const

/** Within sight. Traffic is the growth of the domain's counters. */
export function readMetrics(
  db: Db,
  { id, sight }: { id: string; sight: Sight },
  range: MetricRange,
  now: Date,
): Promise<MetricSeries> {
  return readMeans(
    db,
    { range, columns, now },
    (since) => sql`
      select at, cpu_usage as "cpuUsage", memory_usage as "memoryUsage", disk_usage as "diskUsage",
        -- A counter that fell was restarted with its domain: that step has no rate.
        nullif(greatest(rx_bytes - lag(rx_bytes) over w, -1), -1) / extract(epoch from at - lag(at) over w) as "rxRate",
        nullif(greatest(tx_bytes - lag(tx_bytes) over w, -1), -1) / extract(epoch from at - lag(at) over w) as "txRate"
      from metric_samples where server_id = ${id} and at >= ${since} and ${inSight(sight, 'at')} window w as (order by at)`,
  )
}
