import { findingKinds } from '@vps/shared/findings'
import type { Report } from '@vps/shared/agent.contract'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { settleFindings } from './findings.js'
import { takeTransfers } from './host-images.js'

/**
 * Takes a host's report: one row of the host says how fresh everything is, a server's row is written only when its power
 * changed, the figures of all servers are one statement. Samples for charts are kept once a minute.
 */
export async function takeReport(tx: Tx, hostId: string, report: Report, now: Date): Promise<void> {
  // The database's clock, not the host's: age is what decides whether power is still known.
  await tx
    .updateTable('hosts')
    .set({
      last_seen_at: sql`clock_timestamp()`,
      // How old what is known of its machines is: nothing is, while the hypervisor is away.
      ...(report.away ? {} : { inventory_at: sql`clock_timestamp()` }),
      cpu_usage: report.host.cpuUsage,
      memory_usage: report.host.memoryUsage,
      disk_usage: report.host.diskUsage,
    })
    .where('id', '=', hostId)
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
  await takeTransfers(tx, hostId, report.transfers)
  await takeTroubles(tx, hostId, report, now)
  publish(tx, { shop: 'host' })
  if (report.domains.length === 0) return
  const told = sql`jsonb_to_recordset(${JSON.stringify(report.domains)}::jsonb) as d("serverId" uuid, power text,
    "cpuUsage" real, "memoryUsage" real, "diskUsage" real, "uptimeSeconds" float8, "rxBytes" float8, "txBytes" float8)`
  // Only servers whose held place is on this host: a host can tell nothing about another's.
  const mine = sql`from ${told} join placements p on p.server_id = d."serverId" and p.state = 'held' and p.host_id = ${hostId}`
  const changed = await sql<{ id: string; user_id: string | null }>`
    update servers s set power = d.power, power_changed_at = clock_timestamp() ${mine}
    where s.id = p.server_id and s.power <> d.power returning s.id, s.user_id`.execute(tx)
  await sql`
    insert into traffic_months as m (server_id, month, rx_bytes, tx_bytes)
    select d."serverId", date_trunc('month', clock_timestamp() at time zone 'Asia/Shanghai')::date,
      -- A counter that fell was restarted with its domain: all of it is new.
      case when d."rxBytes" >= coalesce(l.rx_bytes, 0) then d."rxBytes" - coalesce(l.rx_bytes, 0) else d."rxBytes" end,
      case when d."txBytes" >= coalesce(l.tx_bytes, 0) then d."txBytes" - coalesce(l.tx_bytes, 0) else d."txBytes" end
    ${mine} left join server_metrics l on l.server_id = d."serverId"
    where d."rxBytes" is not null and d."txBytes" is not null
    on conflict (server_id, month) do update set rx_bytes = m.rx_bytes + excluded.rx_bytes, tx_bytes = m.tx_bytes + excluded.tx_bytes`.execute(
    tx,
  )
  await sql`
    insert into server_metrics (server_id, at, cpu_usage, memory_usage, disk_usage, uptime_seconds, rx_bytes, tx_bytes)
    select d."serverId", clock_timestamp(), d."cpuUsage", d."memoryUsage", d."diskUsage", d."uptimeSeconds"::bigint,
      d."rxBytes"::bigint, d."txBytes"::bigint ${mine}
    on conflict (server_id) do update set at = excluded.at, cpu_usage = excluded.cpu_usage, memory_usage = excluded.memory_usage,
      disk_usage = excluded.disk_usage, uptime_seconds = excluded.uptime_seconds, rx_bytes = excluded.rx_bytes, tx_bytes = excluded.tx_bytes`.execute(
    tx,
  )
  await sql`
    insert into metric_samples (server_id, at, cpu_usage, memory_usage, disk_usage, rx_bytes, tx_bytes)
    select d."serverId", date_trunc('minute', clock_timestamp()), d."cpuUsage", d."memoryUsage", d."diskUsage",
      d."rxBytes"::bigint, d."txBytes"::bigint ${mine} where d.power = 'on'
    on conflict (server_id, at) do nothing`.execute(tx)
  const owners = await sql<{
    user_id: string
  }>`select distinct s.user_id ${mine} join servers s on s.id = p.server_id where s.user_id is not null`.execute(tx)
  for (const { user_id } of owners.rows) publish(tx, { user: user_id, what: 'monitoring', id: '' })
  for (const { id, user_id } of changed.rows)
    publish(tx, user_id ? { user: user_id, what: 'server', id } : { shop: 'server' })
}

/** What is wrong with the host or with single machines; of those nothing new is known while the hypervisor is away. */
async function takeTroubles(tx: Tx, hostId: string, { away, domains }: Report, now: Date): Promise<void> {
  const told = away
    ? [{ kind: `${away.kind}-away` as const, subject: away.kind, details: { detail: away.detail } }]
    : []
  await settleFindings(tx, hostId, findingKinds.away, told, now)
  if (away) return
  const conditions = domains.flatMap(({ serverId, condition }) =>
    condition === null ? [] : [{ kind: `${condition}-domain` as const, subject: serverId, details: {} }],
  )
  await settleFindings(tx, hostId, findingKinds.conditions, conditions, now)
}
