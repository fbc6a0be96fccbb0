import { findingKinds } from '@vps/shared/findings'
import type { Report } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { reconcileFindings } from './findings.js'
import { updateTransfers } from './host-images.js'

/** A server's row is written only when its power changed. Charts keep a sample a minute. */
export async function applyReport(tx: Tx, hostId: string, report: Report, now: Date): Promise<void> {
  // The database's clock: age decides whether power is known.
  const heard = {
    last_seen_at: sql<Date>`clock_timestamp()`,
    ...(report.away ? {} : { inventory_at: sql<Date>`clock_timestamp()` }),
    cpu_usage: report.host.cpuUsage,
    memory_usage: report.host.memoryUsage,
    disk_usage: report.host.diskUsage,
  }
  await tx
    .insertInto('host_heartbeats')
    .values({ host_id: hostId, ...heard })
    .onConflict((conflict) => conflict.column('host_id').doUpdateSet(heard))
    .execute()
  await tx
    .insertInto('host_samples')
    .values({
      host_id: hostId,
      at: sql<Date>`date_trunc('minute', clock_timestamp())`,
      cpu_usage: report.host.cpuUsage,
      memory_usage: report.host.memoryUsage,
      disk_usage: report.host.diskUsage,
      load1: report.host.load1,
    })
    .onConflict((conflict) => conflict.columns(['host_id', 'at']).doNothing())
    .execute()
  await updateTransfers(tx, hostId, report.transfers)
  await applyTroubles(tx, hostId, report, now)
  publish(tx, { shop: 'host' })
}

/** While the hypervisor is away nothing new is known of machines. */
async function applyTroubles(tx: Tx, hostId: string, { away, domains }: Report, now: Date): Promise<void> {
  const told = away
    ? [{ kind: `${away.kind}-away` as const, subject: away.kind, details: { detail: away.detail } }]
    : []
  await reconcileFindings(tx, hostId, findingKinds.away, told, now)
  if (away) return
  const conditions = domains.flatMap(({ serverId, condition }) =>
    condition === null ? [] : [{ kind: `${condition}-domain` as const, subject: serverId, details: {} }],
  )
  await reconcileFindings(tx, hostId, findingKinds.conditions, conditions, now)
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
