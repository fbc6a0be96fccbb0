import { alertAfterMinutes, alertPauseMinutes } from '@vps/shared/alerts'
import { findingKinds } from '@vps/shared/findings'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { silentSeconds } from '../fleet/is-alive.js'
import { serverOfSubject } from '../findings/queries.js'
import { enqueueMails, type AlertMail, type Told } from '../mail/enqueue-mail.js'
import { must } from '../must.js'
import { readRecipients } from './recipients.js'

const minute = 60_000

/** Findings that lasted, by the timers' moment; hosts that are silent as long, by the database's clock. */
const causes = (now: Date) => sql`
  select f.id, 'finding' as kind, f.first_seen_at as since from findings f
  where f.resolved_at is null and f.first_seen_at <= ${new Date(now.getTime() - alertAfterMinutes * minute)}
  union all
  select h.id, 'silent-host', b.last_seen_at from hosts h join host_heartbeats b on b.host_id = h.id
  where h.status not in ('MAINTENANCE', 'LOST', 'RETIRED') and ${silentSeconds} >= ${sql.lit(alertAfterMinutes * 60)}`

const isOpen = sql`a.ended_at is null`
/** A silence whose reason is a finding: that is told, and what to do about it. */
const isExplained = sql`(c.kind = 'silent-host' and exists (select from findings e where e.host_id = c.id
  and e.resolved_at is null and e.kind in (${sql.join(findingKinds.protocol.map((kind) => sql.lit(kind)))})))`
const untold = sql`not exists (select from alerts a where a.subject_id = c.id and ${isOpen}) and not ${isExplained}`
const over = sql`${isOpen} and not exists (select from causes c where c.id = a.subject_id)`

/** One, where something is to be told and the last mail is a while ago. */
export async function findAlerts(db: Db, now: Date): Promise<string[]> {
  const paused = new Date(now.getTime() - alertPauseMinutes * minute)
  const { rows } = await sql<{ due: boolean }>`
    with causes as (${causes(now)})
    select (exists (select from causes c where ${untold}) or exists (select from alerts a where ${over}))
      and not exists (select from alerts where told_at > ${paused})
      and not exists (select from alerts where ended_at > ${paused}) as due`.execute(db)
  return must(rows[0]).due ? ['alerts'] : []
}

/** As long as an operator reads them one by one; the rest is counted. */
const mostNamed = 20

/** What began to last and what is over since the last mail, in one to each administrator who wants it. */
export async function tellAdministrators(tx: Tx, _id: string, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('alerts'))`.execute(tx)
  if ((await findAlerts(tx, now)).length === 0) return
  const begun = await begin(tx, now)
  const ended = await end(tx, now)
  const news: Omit<AlertMail, 'userId'> = {
    template: 'operatorAlert',
    begun: begun.slice(0, mostNamed),
    ended: ended.slice(0, mostNamed),
    counts: { begun: begun.length, ended: ended.length },
  }
  const recipients = await readRecipients(tx)
  await enqueueMails(
    tx,
    recipients.map(({ id }) => ({ ...news, userId: id })),
  )
}

/** In words a person knows: `a` is the alert, or what is to be one. */
const named = sql`
  left join findings f on a.kind = 'finding' and f.id = a.subject_id
  left join hosts h on h.id = coalesce(f.host_id, a.subject_id)
  left join servers s on s.id = ${serverOfSubject}`
const told = sql`f.kind as finding, h.name as host, h.id as "hostId", a.since,
  case when f.subject is distinct from f.host_id::text then coalesce(s.name, f.subject) end as subject`

type Row = Omit<Told, 'since'> & { since: Date }
const toTold = (row: Row): Told => ({ ...row, since: row.since.toISOString() })

async function begin(tx: Tx, now: Date): Promise<Told[]> {
  const { rows } = await sql<Row>`
    with causes as (${causes(now)}),
      begun as materialized (select c.kind, c.id as subject_id, c.since from causes c where ${untold}),
      kept as (insert into alerts (id, kind, subject_id, told_at)
        select gen_random_uuid(), kind, subject_id, ${now} from begun)
    select ${told} from begun a ${named} order by a.since, a.subject_id`.execute(tx)
  return rows.map(toTold)
}

async function end(tx: Tx, now: Date): Promise<Told[]> {
  const { rows } = await sql<Row>`
    with causes as (${causes(now)}),
      ended as (update alerts a set ended_at = ${now} where ${over} returning a.kind, a.subject_id, a.told_at as since)
    select ${told} from ended a ${named} order by a.since, a.subject_id`.execute(tx)
  return rows.map(toTold)
}

/** Forgets those that were over before a moment. */
export async function deleteAlerts(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('alerts').where('ended_at', '<', before).execute()
}
