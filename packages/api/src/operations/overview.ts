import type { OverviewView } from '@vps/shared/audit'
import { defaultSpec } from '@vps/shared/servers'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { readRooms } from '../fleet/rooms.js'

/** What an operator wants to know first: thirty days of money, orders by state, room left, hosts, jobs, time to a running server. */
export async function readOverview(db: Db): Promise<OverviewView> {
  const [income, statuses, rooms, groups, counts, setUp] = await Promise.all([
    sql<{ day: string; recharged: number; spent: number; refunded: number }>`
      select to_char(d.day, 'YYYY-MM-DD') as day,
        coalesce(sum(e.amount_fen) filter (where e.type = 'RECHARGE'), 0)::float8 / 100 as recharged,
        coalesce(-sum(e.amount_fen) filter (where e.type = 'ORDER_PAYMENT'), 0)::float8 / 100 as spent,
        coalesce(sum(e.amount_fen) filter (where e.type = 'REFUND'), 0)::float8 / 100 as refunded
      from generate_series(date_trunc('day', now() at time zone 'Asia/Shanghai') - interval '29 days', date_trunc('day', now() at time zone 'Asia/Shanghai'), interval '1 day') d(day)
      left join ledger_entries e on e.created_at >= d.day at time zone 'Asia/Shanghai' and e.created_at < (d.day + interval '1 day') at time zone 'Asia/Shanghai'
      group by d.day order by d.day`.execute(db),
    sql<{ status: string; n: number }>`select status, count(*) as n from orders group by status`.execute(db),
    readRooms(db, { addressesUpTo: 10_000 }),
    db
      .selectFrom('server_groups')
      .select(['id', 'name'])
      .where('is_active', '=', true)
      .orderBy('sort_order')
      .orderBy('name')
      .execute(),
    sql<Record<'hosts' | 'alive' | 'findings' | 'failed' | 'open' | 'users' | 'refunds', number>>`select
      (select count(*) from hosts where status <> 'RETIRED') as hosts,
      (select count(*) from hosts where status <> 'RETIRED' and last_seen_at > clock_timestamp() - interval '60 seconds') as alive,
      (select count(*) from findings where resolved_at is null) as findings,
      (select count(*) from jobs where status = 'FAILED' and created_at > now() - interval '7 days') as failed,
      (select count(*) from jobs where status in ('QUEUED', 'RUNNING')) as open,
      (select count(*) from users) as users,
      (select count(*) from refund_requests where status = 'PENDING') as refunds`.execute(db),
    sql<{ count: number; p50: number | null; p95: number | null }>`
      select count(*), percentile_cont(0.5) within group (order by s) as p50, percentile_cont(0.95) within group (order by s) as p95
      from (select extract(epoch from activated_at - paid_at)::float8 as s from orders
        where activated_at is not null and activated_at > now() - interval '30 days' and activated_at > paid_at) taken`.execute(
      db,
    ),
  ])
  const smallest = (groupId: string) =>
    rooms
      .filter((room) => room.groupId === groupId)
      .reduce((sum, room) => {
        const { cpuCores, memoryGb, storageGb } = defaultSpec
        const fit = Math.min(
          room.cpuRoom / cpuCores,
          room.memoryRoomMb / (memoryGb * 1024),
          room.diskRoomGb / storageGb,
          room.freeAddresses,
        )
        return sum + Math.max(0, Math.floor(fit))
      }, 0)
  const count = counts.rows[0]!
  const taken = setUp.rows[0]
  return {
    incomeByDay: income.rows,
    ordersByStatus: Object.fromEntries(statuses.rows.map((row) => [row.status, row.n])),
    groups: groups.map((group) => ({ ...group, smallestLeft: smallest(group.id) })),
    hosts: { total: count.hosts, alive: count.alive, findings: count.findings },
    failedJobs: count.failed,
    openJobs: count.open,
    users: count.users,
    setUpSeconds:
      taken?.p50 == null || taken.p95 == null
        ? null
        : { p50: Math.round(taken.p50 * 10) / 10, p95: Math.round(taken.p95 * 10) / 10, count: taken.count },
    pendingRefunds: count.refunds,
  }
}
