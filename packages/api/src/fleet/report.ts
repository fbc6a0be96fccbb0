import { findingKinds } from '@vps/shared/findings'
import type { Report } from '@vps/shared/agent.contract'
import { livingAgentSeconds } from '@vps/shared/hosts'
import { sql, type RawBuilder } from 'kysely'
import type { Notification } from '../notifications/notification.js'
import { reconciled, reconciliation } from '../findings/findings.js'

/**
 * A report of the host, as parts of its one statement (servers/kvm/apply-report.ts). By the database's clock: age
 * decides whether power is known.
 */
export function hostTold(hostId: string, report: Report, now: Date): RawBuilder<unknown> {
  const { host, away, transfers } = report
  return sql`
    before as (select last_seen_at, transfers from host_heartbeats where host_id = ${hostId}),
    heartbeat as (
      insert into host_heartbeats as h (host_id, last_seen_at, inventory_at, cpu_usage, memory_usage, disk_usage, transfers)
      values (${hostId}, clock_timestamp(), case when ${away === null} then clock_timestamp() end, ${host.cpuUsage}, ${host.memoryUsage}, ${host.diskUsage}, ${JSON.stringify(transfers)})
      on conflict (host_id) do update set last_seen_at = excluded.last_seen_at,
        inventory_at = coalesce(excluded.inventory_at, h.inventory_at), cpu_usage = excluded.cpu_usage,
        memory_usage = excluded.memory_usage, disk_usage = excluded.disk_usage, transfers = excluded.transfers
      returning transfers),
    ${reconciliation({ hostId, ...ailmentsOf(report) }, now)}`
}

/** While the hypervisor is away nothing new is known of machines. Whose report is taken speaks what is served. */
function ailmentsOf({ away, domains }: Report) {
  if (away) {
    const seen = [{ kind: `${away.kind}-away` as const, subject: away.kind, details: { detail: away.detail } }]
    return { kinds: [...findingKinds.protocol, ...findingKinds.away], seen }
  }
  const seen = domains.flatMap(({ serverId, condition }) =>
    condition === null ? [] : [{ kind: `${condition}-domain` as const, subject: serverId, details: {} }],
  )
  return { kinds: [...findingKinds.protocol, ...findingKinds.away, ...findingKinds.conditions], seen }
}

export type HostNews = { hostNews: boolean; imageNews: boolean; findingNews: boolean }

/** Beside `hostTold` and `sampled`: what changes on screens. Load by the minute. */
export const hostNews = sql`
  exists (select from sampled where at = date_trunc('minute', at)) or not exists (select from before
    where last_seen_at > clock_timestamp() - make_interval(secs => ${sql.lit(livingAgentSeconds)})) as "hostNews",
  (select transfers from heartbeat) <> coalesce((select transfers from before), '[]') as "imageNews", ${reconciled} as "findingNews"`

/** To operators' screens. */
export function hostNotifications(news: HostNews): Notification[] {
  return [
    ...(news.hostNews ? [{ shop: 'host' } as const] : []),
    ...(news.imageNews ? [{ shop: 'image' } as const] : []),
    ...(news.findingNews ? [{ shop: 'finding' } as const] : []),
  ]
}
