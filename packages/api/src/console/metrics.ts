import { metricRangeMinutes, type MetricRange, type MetricSeries } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'

type Row = {
  at: Date
  cpu: number | null
  memory: number | null
  disk: number | null
  rx: number | null
  tx: number | null
}

/** Means per step over a range, from the samples of each minute. Traffic from the growth of the domain's counters. */
export async function readMetrics(db: Db, serverId: string, range: MetricRange, now: Date): Promise<MetricSeries> {
  const { length, step } = metricRangeMinutes[range]
  const since = new Date(now.getTime() - length * 60_000)
  const { rows } = await sql<Row>`
    with samples as (
      select at, cpu_usage, memory_usage, disk_usage,
        -- A counter that fell was restarted with its domain: that step has no rate.
        nullif(greatest(rx_bytes - lag(rx_bytes) over w, -1), -1) / extract(epoch from at - lag(at) over w) as rx,
        nullif(greatest(tx_bytes - lag(tx_bytes) over w, -1), -1) / extract(epoch from at - lag(at) over w) as tx
      from metric_samples where server_id = ${serverId} and at > ${since} window w as (order by at))
    select date_bin(make_interval(mins => ${step}), at, timestamptz '2020-01-01') as at, avg(cpu_usage)::float8 as cpu,
      avg(memory_usage)::float8 as memory, avg(disk_usage)::float8 as disk, avg(rx)::float8 as rx, avg(tx)::float8 as tx
    from samples group by 1 order by 1`.execute(db)
  const rounded = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)
  return {
    range,
    stepSeconds: step * 60,
    points: rows.map((row) => ({
      at: row.at.toISOString(),
      cpuUsage: rounded(row.cpu),
      memoryUsage: rounded(row.memory),
      diskUsage: rounded(row.disk),
      rxRate: rounded(row.rx),
      txRate: rounded(row.tx),
    })),
  }
}
