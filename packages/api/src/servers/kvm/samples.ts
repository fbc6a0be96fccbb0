import type { Report } from '@vps/shared/agent.contract'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import type { Notification } from '../../notifications/notification.js'

/** Unchanged figures are written this often, not to look old. */
const againSeconds = 25

/**
 * A report of a host's machines, as parts of its one statement (apply-report.ts). Writes only changes; traffic by the
 * minute.
 */
export function machinesTold(hostId: string, { domains }: Pick<Report, 'domains'>): RawBuilder<unknown> {
  return sql`
    told as materialized (
      select distinct on ("serverId") * from json_to_recordset(${JSON.stringify(domains)}) as d("serverId" uuid, power text,
        "cpuUsage" real, "memoryUsage" real, "diskUsage" real, "uptimeSeconds" float8, "rxBytes" float8, "txBytes" float8)
      order by "serverId"),
    mine as materialized (
      select d.*, s.user_id, c.*, g.*, ${rate('rx_bytes')} as rx_rate, ${rate('tx_bytes')} as tx_rate,
        s.power <> d.power as turned, coalesce(l.at < n.minute, true) as due,
        (l.cpu_usage, l.memory_usage, l.disk_usage, l.rx_bytes, l.tx_bytes, l.uptime_seconds is null, l.server_id)
          is distinct from (d."cpuUsage", d."memoryUsage", d."diskUsage", c.rx_bytes, c.tx_bytes, d."uptimeSeconds" is null, s.id) as changed,
        l.at < n.again as old
      from (select now, date_trunc('minute', now) as minute, now - make_interval(secs => ${sql.lit(againSeconds)}) as again
          from clock_timestamp() now offset 0) n
      cross join told d join placements p on p.server_id = d."serverId" and p.state = 'held' and p.host_id = ${hostId}
      join servers s on s.id = p.server_id left join server_metrics l on l.server_id = s.id
      -- Counters are a domain's: off, it has none. One that cannot be read goes on from where it was.
      cross join lateral (select case when d."rxBytes" is not null and d."txBytes" is not null then d."rxBytes"::bigint
          when d.power <> 'off' then l.rx_bytes end as rx_bytes,
        case when d."rxBytes" is not null and d."txBytes" is not null then d."txBytes"::bigint
          when d.power <> 'off' then l.tx_bytes end as tx_bytes) c
      cross join lateral (select coalesce(l.rx_uncounted, 0) + ${growth('rx_bytes')} as rx_uncounted,
        coalesce(l.tx_uncounted, 0) + ${growth('tx_bytes')} as tx_uncounted) g),
    turned as (
      update servers s set power = m.power, power_changed_at = clock_timestamp() from mine m
      where s.id = m."serverId" and m.turned and s.power <> m.power returning s.id, s.user_id),
    latest as (
      insert into server_metrics (server_id, at, cpu_usage, memory_usage, disk_usage, uptime_seconds, rx_bytes, tx_bytes, rx_uncounted, tx_uncounted)
      select "serverId", clock_timestamp(), "cpuUsage", "memoryUsage", "diskUsage", "uptimeSeconds"::bigint, rx_bytes, tx_bytes,
        case when due then 0 else rx_uncounted end, case when due then 0 else tx_uncounted end
      from mine where changed or due or old
      on conflict (server_id) do update set at = excluded.at, cpu_usage = excluded.cpu_usage, memory_usage = excluded.memory_usage,
        disk_usage = excluded.disk_usage, uptime_seconds = excluded.uptime_seconds, rx_bytes = excluded.rx_bytes,
        tx_bytes = excluded.tx_bytes, rx_uncounted = excluded.rx_uncounted, tx_uncounted = excluded.tx_uncounted),
    traffic as (
      insert into traffic_months as t (server_id, month, rx_bytes, tx_bytes)
      select "serverId", date_trunc('month', clock_timestamp() at time zone 'Asia/Shanghai')::date, rx_uncounted, tx_uncounted
      from mine where due and rx_uncounted + tx_uncounted > 0
      on conflict (server_id, month) do update set rx_bytes = t.rx_bytes + excluded.rx_bytes, tx_bytes = t.tx_bytes + excluded.tx_bytes)`
}

/** Those running, for charts. A counter that fell restarted with its domain: that step has no rate. */
export const machinesSampled = sql`
  select "serverId", "cpuUsage", "memoryUsage", "diskUsage", rx_rate, tx_rate from mine where power = 'on'`

const rate = (column: 'rx_bytes' | 'tx_bytes') => sql`
  (case when ${sql.ref(`c.${column}`)} >= ${sql.ref(`l.${column}`)} then (${sql.ref(`c.${column}`)} - ${sql.ref(`l.${column}`)})
    / nullif(date_part('epoch', n.now - l.at), 0) end)::real`

/** A counter that fell restarted: all of it is new. */
function growth(column: 'rx_bytes' | 'tx_bytes') {
  const [told, before] = [sql.ref(`c.${column}`), sql.ref(`l.${column}`)]
  return sql`coalesce(case when ${told} >= ${before} then ${told} - ${before} else ${told} end, 0)`
}

export type MachineNews = { turned: { id: string; user_id: string | null }[]; watchers: string[] }

/** Beside `machinesTold`: what changes on screens. */
export const machineNews = sql`
  (select coalesce(json_agg(turned), '[]') from turned) as turned,
  array(select distinct user_id from mine where changed and user_id is not null) as watchers`

/** To owners and operators. */
export function machineNotifications({ turned, watchers }: MachineNews): Notification[] {
  return [
    ...watchers.map((user) => ({ user, what: 'monitoring', id: '' }) as const),
    ...turned.map(({ id, user_id }) =>
      user_id ? ({ user: user_id, what: 'server', id } as const) : ({ shop: 'server' } as const),
    ),
  ]
}

/** No report corrects a gone machine's power. */
export async function deletePower(tx: Tx, serverIds: readonly string[]): Promise<void> {
  if (serverIds.length === 0) return
  const changed = await tx
    .updateTable('servers')
    .set({ power: 'unknown', power_changed_at: sql`clock_timestamp()` })
    .where('id', 'in', serverIds)
    .where('power', '<>', 'unknown')
    .returning(['id', 'user_id'])
    .execute()
  for (const { id, user_id } of changed)
    publish(tx, user_id ? { user: user_id, what: 'server', id } : { shop: 'server' })
}
