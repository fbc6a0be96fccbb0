import { hostTroubles, type HostStatus } from '@vps/shared/hosts'
import { setUpStatuses } from '@vps/shared/orders'
import { regionKey, shownDays, spansOf, type ServiceKey } from '@vps/shared/status'
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import type { ServiceDays } from '../db/schema.generated.js'
import { isAmong, words } from '../db/words.js'
import type { Deps } from '../deps.js'
import { isAlive } from '../fleet/is-alive.js'
import { must } from '../must.js'
import { readSnapshot } from '../shop/snapshot.js'

/** `missing`: from 0 to 1. */
type Seen = { service: ServiceKey; missing: number }

/** Recharging and setting up are judged by attempts this long before: disturbed if half fail. */
const recentMinutes = 15
/** A payment's check this late hangs; a set-up takes less. */
const lateMinutes = 10

/** Maintenance is announced. What is lost is missed until its last server is settled. */
const expectedHosts: readonly HostStatus[] = ['READY', 'DRAINING']
const awayKinds = Object.entries(hostTroubles).flatMap(([kind, trouble]) => (trouble === 'away' ? [kind] : []))

/**
 * Looks at everything, each minute, into each service's day (decision 0085). Again within the minute it adds nothing;
 * of two at once one counts.
 */
export async function lookAtServices(deps: Deps, now: Date): Promise<void> {
  const [before, shopAnswers] = await Promise.all([
    lastLook(deps.db, now),
    readSnapshot(deps).then(
      () => true,
      () => false,
    ),
  ])
  const spans = spansOf(before, now)
  if (spans.length === 0) return
  const seen: Seen[] = [
    { service: 'shop', missing: shopAnswers ? 0 : 1 },
    ...(await readSeen(deps.db, now, deps.gateway !== null)),
  ]
  const rows = spans.flatMap(({ day, seen: minutes, silent }) => [
    // Who looks has an API and a database that answer.
    {
      day,
      service: 'api',
      minutes: minutes + silent,
      disturbed_minutes: silent,
      lost_minutes: silent,
      disturbed: false,
    },
    ...(minutes === 0 ? [] : seen.map((one) => ({ day, minutes, ...figuresOf(one, minutes) }))),
  ])
  await addSeen(deps.db, rows, new Date(Math.floor(now.getTime() / 60_000) * 60_000))
}

function figuresOf({ service, missing }: Seen, minutes: number) {
  const disturbed = missing > 0
  return { service, disturbed, disturbed_minutes: disturbed ? minutes : 0, lost_minutes: missing * minutes }
}

async function lastLook(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(looked_at) as at from service_days where day >= ${must(shownDays(now)[0])}::date`.execute(db)
  return must(rows[0]).at
}

/** Recharging, setting up and each region's hosts; nothing tried is nothing wrong. */
async function readSeen(db: Db, now: Date, pays: boolean): Promise<Seen[]> {
  const since = new Date(now.getTime() - recentMinutes * 60_000)
  const late = new Date(now.getTime() - lateMinutes * 60_000)
  const { rows } = await sql<{ service: 'payments' | 'set-ups' | null; region: string | null; missing: number }>`
    select 'payments' as service, null as region, (${mostFail(sql`creation <> 'created' and status <> 'SUCCESS'`)}
        and (bool_or(creation = 'unknown') or count(distinct user_id) filter (where creation = 'refused') > 1)
        or exists (select from payments where next_check_at < ${late}))::int::float8 as missing
      from payments where created_at between ${since} and ${new Date(now.getTime() - 30_000)}
    union all
    select 'set-ups', null, (${mostFail(sql`status = 'FAILED'`)}
        or exists (select from orders where ${isAmong('status', setUpStatuses)} and paid_at < ${late}))::int
      from jobs where kind = 'install' and created_at > ${new Date(since.getTime() - 3600_000)} and finished_at > ${since}
        and status in ('SUCCEEDED', 'FAILED')
    union all
    select null, region, avg((not well)::int)
      from (select distinct g.region, h.id, h.status <> 'LOST' and ${isAlive('b')} and not exists (select from findings f
          where f.host_id = h.id and f.resolved_at is null and f.kind in (${sql.raw(words(awayKinds))})) as well
        from server_groups g join host_groups on group_id = g.id join hosts h on h.id = host_id
          left join host_heartbeats b on b.host_id = h.id
        where g.is_active and g.region <> '' and (${isAmong('h.status', expectedHosts)}
          or h.status = 'LOST' and exists (select from placements p where p.host_id = h.id and p.state = 'held'))) of_region
      group by region`.execute(db)
  return rows.flatMap(({ service, region, missing }) => {
    if (region !== null) return [{ service: regionKey(region), missing }]
    return service === null || (service === 'payments' && !pays) ? [] : [{ service, missing }]
  })
}

const mostFail = (failed: ReturnType<typeof sql>) => sql`coalesce(avg((${failed})::int) >= 0.5, false)`

export type SeenOnDay = Omit<Insertable<ServiceDays>, 'looked_at'>

/** Adds what a look saw, unless a later one did. */
export async function addSeen(db: Db, rows: readonly SeenOnDay[], at: Date): Promise<void> {
  const sumOf = (column: 'minutes' | 'disturbed_minutes' | 'lost_minutes') =>
    sql<number>`${sql.ref(`service_days.${column}`)} + ${sql.ref(`excluded.${column}`)}`
  await db
    .insertInto('service_days')
    .values(rows.map((row) => ({ ...row, looked_at: at })))
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'service'])
        .doUpdateSet({
          minutes: sumOf('minutes'),
          disturbed_minutes: sumOf('disturbed_minutes'),
          lost_minutes: sumOf('lost_minutes'),
          disturbed: (eb) => eb.ref('excluded.disturbed'),
          looked_at: (eb) => eb.ref('excluded.looked_at'),
        })
        .whereRef('service_days.looked_at', '<', 'excluded.looked_at'),
    )
    .execute()
}

/** Days that no page shows. */
export async function deleteServiceDays(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('service_days').where('looked_at', '<', before).execute()
}
