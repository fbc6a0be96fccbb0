import type { Report } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import { hostNews, hostNotifications, hostTold, type HostNews } from '../../fleet/report.js'
import type { MetricSample } from '../../metric-engine.js'
import { withPartitions } from '../../metrics/partitions.js'
import { sampled, sentOn, type MetricStore } from '../../metrics/samples.js'
import { must } from '../../must.js'
import type { Notification } from '../../notifications/notification.js'
import { machineNews, machineNotifications, machinesSampled, machinesTold, type MachineNews } from './samples.js'

/**
 * How a host and its servers are: one statement, as every host sends one every 10 s. Each table's room writes its part.
 */
export async function applyHostReport(
  { db, engine }: MetricStore,
  hostId: string,
  report: Report,
  now: Date,
): Promise<Notification[]> {
  const { cpuUsage, memoryUsage, diskUsage, load1 } = report.host
  const subjects = sql`
    select ${hostId}::uuid, ${cpuUsage}::real, ${memoryUsage}::real, ${diskUsage}::real, null::real, null::real
    union all ${machinesSampled}`
  const { rows } = await withPartitions(db, () =>
    sql<HostNews & MachineNews & { samples: MetricSample[] }>`
      with ${hostTold(hostId, report, now)}, ${machinesTold(hostId, report)}, ${sampled(engine, { sourceId: hostId, load1, subjects })}
      select ${hostNews}, ${machineNews}, ${sentOn(engine)} as samples`.execute(db),
  )
  const news = must(rows[0])
  engine?.send(news.samples)
  return [...hostNotifications(news), ...machineNotifications(news)]
}
