import { fen } from '@vps/shared/money'
import { failedJobDays, overviewDays } from '@vps/shared/overview'
import type { OverviewInFen } from '@vps/shared/overview.contract'
import { placesOn } from '@vps/shared/hosts'
import { defaultSpec, machineSuits } from '@vps/shared/servers'
import { shanghaiDay, startOfShanghaiDay } from '@vps/shared/time'
import { sql } from 'kysely'
import { inNameOrder } from '../db/in-name-order.js'
import type { Db } from '../db/client.js'
import { readPools } from '../fleet/addresses.js'
import { readFreeCapacity } from '../fleet/free-capacity.js'
import { endedStatuses, livingStatuses } from '@vps/shared/orders'
import { isAmong } from '../db/words.js'
import { isAlive, isSilent } from '../fleet/is-alive.js'
import { isOpen } from '../jobs/is-open.js'
import { readStepTimes } from '../jobs/queries.js'
import { must } from '../must.js'
import { readIncome, shanghaiDayOf } from './income.js'
import { readFirstSale, type Configured } from './first-sale.js'
import { readSetUps, type SetUps } from '../orders/set-up-times.js'
import { dedicatedServersForSale } from '../servers/ssh/for-sale.js'

const dayMs = 86_400_000

/** Every figure comes from an index; none grows with the shop's years. */
export async function readOverview(db: Db, configured: Configured, now: Date): Promise<OverviewInFen> {
  const days = Array.from({ length: overviewDays }, (_, ago) =>
    shanghaiDay(new Date(now.getTime() - ago * dayMs)),
  ).reverse()
  const since = startOfShanghaiDay(must(days[0]))
  const [income, setUps, setUp, steps, failed, statuses, room, groups, counts, firstSale] = await Promise.all([
    readIncome(db, since),
    readSetUps(db, since, shanghaiDayOf('activated_at')),
    readSetUps(db, since),
    readStepTimes(db, since),
    readFailedJobs(db, since),
    readStatuses(db, since),
    readRoom(db),
    db
      .selectFrom('server_groups')
      .select(['id', 'name'])
      .where('is_active', '=', true)
      .orderBy('sort_order')
      .orderBy(inNameOrder('name'))
      .execute(),
    readCounts(db, since),
    readFirstSale(db, configured),
  ])
  const perDay = <Row extends { day: string }>(rows: Row[], none: Omit<Row, 'day'>) => {
    const found = new Map(rows.map((row) => [row.day, row]))
    return days.map((day) => found.get(day) ?? { day, ...none })
  }
  const failedJobsByDay = perDay(failed, { count: 0 })
  const [all] = setUp
  return {
    firstSale,
    incomeByDay: perDay(income, { recharged: fen(0), spent: fen(0), refunded: fen(0) }),
    setUpByDay: perDay<SetUps>(setUps, { count: 0, p50: null, p95: null }),
    failedJobsByDay,
    ordersByStatus: Object.fromEntries(statuses.map((row) => [row.status, row.n])),
    groups: groups.map((group) => ({ ...group, smallestLeft: smallestLeft(room, group.id) })),
    hosts: { total: counts.hosts, alive: counts.alive, silent: counts.silent, findings: counts.findings },
    failedJobs: failedJobsByDay.slice(-failedJobDays).reduce((sum, { count }) => sum + count, 0),
    openJobs: counts.open,
    newUsers: counts.users,
    setUpSeconds: all ? { p50: all.p50, p95: all.p95, count: all.count } : null,
    setUpSteps: steps,
    pendingRefunds: counts.refunds,
  }
}

async function readFailedJobs(db: Db, since: Date) {
  const { rows } = await sql<{ day: string; count: number }>`
    select ${shanghaiDayOf('created_at')} as day, count(*) as count from jobs
    where status = 'FAILED' and created_at >= ${since} group by 1`.execute(db)
  return rows
}

async function readStatuses(db: Db, since: Date) {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*) as n from orders
    where ${isAmong('status', ['PENDING', ...livingStatuses])} group by status
    union all
    select status, count(*) from orders
    where ${isAmong('status', endedStatuses)} and ended_at >= ${since} group by status`.execute(db)
  return rows
}

async function readCounts(db: Db, since: Date) {
  const { rows } = await sql<
    Record<'hosts' | 'alive' | 'silent' | 'findings' | 'open' | 'users' | 'refunds', number>
  >`select
    (select count(*) from hosts where status <> 'RETIRED') as hosts,
    (select count(*) from hosts h join host_heartbeats b on b.host_id = h.id where h.status <> 'RETIRED' and ${isAlive('b')}) as alive,
    (select count(*) from hosts h join host_heartbeats b on b.host_id = h.id where ${isSilent}) as silent,
    (select count(*) from findings where resolved_at is null) as findings,
    (select count(*) from jobs where ${isOpen()}) as open,
    (select count(*) from users where created_at >= ${since}) as users,
    (select count(*) from refund_requests where status = 'PENDING') as refunds`.execute(db)
  return must(rows[0])
}

const addressesUpTo = 10_000

async function readRoom(db: Db) {
  const [rooms, machines] = await Promise.all([
    // Its addresses are counted by pool, below: hundreds of hosts may share one.
    readFreeCapacity(db, { addressesUpTo: 0 }),
    dedicatedServersForSale(db).execute(),
  ])
  const pools = await readPools(db, [...new Set(rooms.map(({ id }) => id))], addressesUpTo)
  return { rooms, pools, machines }
}

/** As the shop sells them. Hosts may share a pool: each address counts once, a host's own before those of others. */
function smallestLeft({ rooms, pools, machines }: Awaited<ReturnType<typeof readRoom>>, groupId: string): number {
  const places = new Map<string, number>()
  for (const room of rooms)
    if (room.groupId === groupId)
      places.set(room.id, placesOn({ ...room, freeAddresses: addressesUpTo }, defaultSpec, null))
  const draws = pools.filter(({ hostId }) => places.has(hostId))
  const free = new Map(draws.map((pool) => [pool.id, pool.free]))
  const drawers = new Map<string, number>()
  for (const { id } of draws) drawers.set(id, (drawers.get(id) ?? 0) + 1)
  const drawersOf = ({ id }: { id: string }) => drawers.get(id) ?? 0
  let left = machines.filter((one) => one.group_id === groupId && machineSuits(one, defaultSpec, null)).length
  for (const { hostId, id } of draws.toSorted((a, b) => drawersOf(a) - drawersOf(b))) {
    const [wanted, there] = [places.get(hostId) ?? 0, free.get(id) ?? 0]
    const taken = Math.min(wanted, there)
    places.set(hostId, wanted - taken)
    free.set(id, there - taken)
    left += taken
  }
  return left
}
