import type { Report } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import { statement } from '../../db/statement.js'
import {
  hostNews,
  hostNotifications,
  hostTold,
  hostValues,
  type HostNews,
  type HostValues,
} from '../../fleet/report.js'
import type { MetricSample } from '../../metric-engine.js'
import { withPartitions } from '../../metrics/partitions.js'
import { sampled, sentOn, type MetricStore } from '../../metrics/samples.js'
import { must } from '../../must.js'
import type { Notification } from '../../notifications/notification.js'
import { machineNews, machineNotifications, machinesSampled, machinesTold, type MachineNews } from './samples.js'

/**
 * How a host is, and how the servers on it are: one statement, since every host sends one every 10 s. The room of each
 * table writes its part.
 */
export async function applyHostReport(
  { db, engine }: MetricStore,
  hostId: string,
  report: Report,
  now: Date,
): Promise<Notification[]> {
  const values = { ...hostValues(hostId, report, now), domains: JSON.stringify(report.domains) }
  const rows = await withPartitions(db, () => (engine ? sentOnward : kept)(db, values))
  const news = must(rows[0])
  engine?.send(news.samples)
  return [...hostNotifications(news), ...machineNotifications(news)]
}

type News = HostNews & MachineNews & { samples: MetricSample[] }

const reportOf = (sendsOn: boolean) =>
  statement<HostValues & { domains: string }, News>((_db, given) => {
    const subjects = sql`
      select ${given('hostId')}::uuid, ${given('cpuUsage')}::real, ${given('memoryUsage')}::real, ${given('diskUsage')}::real, null::real, null::real
      union all ${machinesSampled}`
    const sample = sampled(sendsOn, { sourceId: given('hostId'), load1: given('load1'), subjects })
    return sql`
      with ${hostTold(given)}, ${machinesTold(given)}, ${sample}
      select ${hostNews}, ${machineNews}, ${sentOn(sendsOn)} as samples`
  })
const kept = reportOf(false)
const sentOnward = reportOf(true)
