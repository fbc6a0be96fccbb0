import { findingKinds } from '@vps/shared/findings'
import type { Report } from '@vps/shared/agent.contract'
import { livingAgentSeconds } from '@vps/shared/hosts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/client.js'
import type { Notification } from '../notifications/notification.js'
import { reconciled, reconciliation } from './findings.js'

/**
 * What a report tells of the host, as parts of the one statement that it is (servers/kvm/apply-report.ts). By the
 * database's clock: age decides whether power is known.
 */
export function hostTold(hostId: string, report: Report, now: Date): RawBuilder<unknown> {
  const { host, away, transfers } = report
  const figures = sql`${host.cpuUsage}::real, ${host.memoryUsage}::real, ${host.diskUsage}::real`
  return sql`
    before as (select last_seen_at, transfers from host_heartbeats where host_id = ${hostId}),
    heartbeat as (
      insert into host_heartbeats as h (host_id, last_seen_at, inventory_at, cpu_usage, memory_usage, disk_usage, transfers)
      values (${hostId}, clock_timestamp(), case when ${away === null} then clock_timestamp() end, ${figures}, ${JSON.stringify(transfers)})
      on conflict (host_id) do update set last_seen_at = excluded.last_seen_at,
        inventory_at = coalesce(excluded.inventory_at, h.inventory_at), cpu_usage = excluded.cpu_usage,
        memory_usage = excluded.memory_usage, disk_usage = excluded.disk_usage, transfers = excluded.transfers
      returning transfers),
    host_sample as (
      insert into host_samples (host_id, at, cpu_usage, memory_usage, disk_usage, load1)
      values (${hostId}, date_trunc('minute', clock_timestamp()), ${figures}, ${host.load1})
      on conflict (host_id, at) do nothing returning at),
    ${reconciliation({ hostId, ...ailmentsOf(report) }, now)}`
}

/** While the hypervisor is away nothing new is known of machines. */
function ailmentsOf({ away, domains }: Report) {
  if (away) {
    const seen = [{ kind: `${away.kind}-away` as const, subject: away.kind, details: { detail: away.detail } }]
    return { kinds: findingKinds.away, seen }
  }
  const seen = domains.flatMap(({ serverId, condition }) =>
    condition === null ? [] : [{ kind: `${condition}-domain` as const, subject: serverId, details: {} }],
  )
  return { kinds: [...findingKinds.away, ...findingKinds.conditions], seen }
}

export type HostNews = { hostNews: boolean; imageNews: boolean; findingNews: boolean }

/** Beside `hostTold`: what screens show otherwise now. Load is shown by the minute. */
export const hostNews = sql`
  exists (select from host_sample) or not exists (select from before
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

/** Known minutes stay. Percentages 0-100. */
export async function createHostSamples(
  tx: Tx,
  hostId: string,
  samples: { at: Date; cpuUsage: number; memoryUsage: number; diskUsage: number; load1: number }[],
): Promise<void> {
  await sql`insert into host_samples (host_id, at, cpu_usage, memory_usage, disk_usage, load1)
    select ${hostId}, at, "cpuUsage", "memoryUsage", "diskUsage", load1 from jsonb_to_recordset(${JSON.stringify(samples)}::jsonb)
      as s(at timestamptz, "cpuUsage" real, "memoryUsage" real, "diskUsage" real, load1 real)
    on conflict do nothing`.execute(tx)
}

/** Forgets samples of hosts from before a moment. */
export async function deleteHostSamples(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('host_samples').where('at', '<', before).execute()
}
