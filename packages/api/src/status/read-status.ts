import {
  components,
  longestSpanMinutes,
  overallOf,
  regionKey,
  serviceName,
  shownDays,
  type ServiceKey,
  type ServiceState,
} from '@vps/shared/status'
import type { ServiceView, StatusView } from '@vps/shared/status.contract'
import { sql } from 'kysely'
import { cached, type Cached } from '../cached.js'
import type { Db } from '../db/client.js'
import type { Deps } from '../deps.js'
import { must } from '../must.js'
import { publicIncidents } from './incidents.js'

/** A look is a minute; an incident's notification shows it at once. */
const keptMs = 20_000

const shownKinds = new Set(['incident', 'group', 'category'])

const statuses = new WeakMap<Deps, Cached<StatusView>>()

/** For visitors, from memory: the database is asked three times a minute. */
export function readStatus(deps: Deps): Promise<StatusView> {
  const known = statuses.get(deps)
  if (known) return known.read()
  const status = cached(() => createStatus(deps.shopDb, deps.now()), keptMs)
  statuses.set(deps, status)
  deps.notifications.listen((notification) => {
    if (notification !== null && 'shop' in notification && shownKinds.has(notification.shop)) status.drop()
  })
  return status.read()
}

type DayRow = { day: string; minutes: number; disturbedMinutes: number; lost: number; disturbed: boolean; at: Date }

/** As the database has it now, in three small reads. */
export async function createStatus(db: Db, now: Date): Promise<StatusView> {
  const days = shownDays(now)
  const since = must(days[0])
  const [{ rows }, regions, incidents] = await Promise.all([
    sql<DayRow & { service: string }>`
      select to_char(day, 'YYYY-MM-DD') as day, service, minutes, disturbed_minutes as "disturbedMinutes", lost_minutes as lost,
        disturbed, looked_at as at from service_days where day >= ${since}::date`.execute(db),
    regionsOnSale(db),
    publicIncidents(db, since),
  ])
  const rowsOf = (key: string) => rows.filter(({ service }) => service === key)
  const keys = [...components, ...regions.map(regionKey)].filter((key) => rowsOf(key).length > 0)
  const services = keys.map((key) => toService(key, rowsOf(key), days, now))
  const states = services.map(({ state }) => state)
  const open = incidents.filter(({ endsAt }) => endsAt === null).length
  return { at: latest(rows)?.at.toISOString() ?? null, overall: overallOf(states, open), days, services, incidents }
}

/** In the shop's order; without what is not sold any more. */
async function regionsOnSale(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('server_groups as g')
    .innerJoin('categories as c', 'c.id', 'g.category_id')
    .select(({ ref }) => ref('g.region').$notNull().as('region'))
    .where('g.is_active', '=', true)
    .where('c.is_active', '=', true)
    .where('g.region', '<>', '')
    .groupBy('g.region')
    .orderBy(({ fn }) => fn.min('c.sort_order'))
    .orderBy(({ fn }) => fn.min('g.sort_order'))
    .orderBy('g.region')
    .execute()
  return rows.map(({ region }) => region)
}

function toService(key: ServiceKey, rows: readonly DayRow[], days: readonly string[], now: Date): ServiceView {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const sum = (figure: (row: DayRow) => number) => rows.reduce((all, row) => all + figure(row), 0)
  return {
    key,
    name: serviceName(key),
    state: stateOf(latest(rows), now),
    share: rows.length === 0 ? null : 1 - sum(({ lost }) => lost) / sum(({ minutes }) => minutes),
    days: days.map((day) => {
      const row = byDay.get(day)
      return row ? { share: 1 - row.lost / row.minutes, disturbedMinutes: row.disturbedMinutes } : null
    }),
  }
}

const latest = (rows: readonly DayRow[]): DayRow | undefined =>
  rows.reduce<DayRow | undefined>(
    (last, row) => (last && last.at >= row.at && last.day >= row.day ? last : row),
    undefined,
  )

function stateOf(last: DayRow | undefined, now: Date): ServiceState {
  if (!last || now.getTime() - last.at.getTime() > longestSpanMinutes * 60_000) return 'unknown'
  return last.disturbed ? 'disturbed' : 'good'
}
