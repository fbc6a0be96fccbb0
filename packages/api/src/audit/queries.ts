import type { AuditView } from '@vps/shared/audit.contract'
import type { DayRange } from '@vps/shared/fields.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import { isOneOf, pageOfAll, pageOfFound, toPage } from '../db/page.js'
import type { DB } from '../db/schema.generated.js'

type Filter = PageInput &
  DayRange & {
    action?: string | undefined
    subjectKind?: string | undefined
    subjectId?: string | undefined
    actor?: string | undefined
    userId?: string | undefined
  }

/** By a kind of acts (`order`) or one (`order.pay`), a subject, an actor's user name, or somebody on either side. */
export async function pageAudit(db: Db, input: Filter): Promise<Page<AuditView>> {
  let filtered = db.selectFrom('audit_log as a').select('a.id')
  if (input.action) {
    const [kind = '', act] = input.action.split('.')
    filtered = filtered.where(sql`split_part(a.action, '.', 1)`, '=', kind)
    if (act) filtered = filtered.where('a.action', '=', input.action)
  }
  if (input.from) filtered = filtered.where('a.at', '>=', input.from)
  if (input.to) filtered = filtered.where('a.at', '<=', input.to)
  if (input.subjectKind) filtered = filtered.where('a.subject_kind', '=', input.subjectKind)
  if (input.subjectId) filtered = filtered.where('a.subject_id', '=', input.subjectId)
  if (input.actor) {
    filtered = filtered.where('a.actor_id', '=', (eb) =>
      eb
        .selectFrom('users as x')
        .select('x.id')
        .where((on) => on(on.fn('lower', ['x.username']), '=', input.actor!.toLowerCase())),
    )
  }
  const { ids, count } = await findPage(db, filtered, input)
  const rows = await db
    .selectFrom('audit_log as a')
    .leftJoin('users as u', 'u.id', 'a.actor_id')
    .selectAll('a')
    .select(['u.username', subjectName.as('subjectName')])
    .where(isOneOf('a.id', ids))
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .execute()
  const content = rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.username,
    action: row.action,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    subjectName: row.subjectName,
    address: row.address,
    details: row.details,
  }))
  return toPage(content, count, input)
}

const asId = (text: RawBuilder<unknown>) =>
  sql`case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`
const subject = asId(sql`a.subject_id`)
const subjectName = sql<string | null>`case a.subject_kind
  when 'user' then (select x.username from users x where x.id = ${subject})
  when 'order' then (select x.number from orders x where x.id = ${subject})
  when 'server' then (select x.name from servers x where x.id = ${subject})
  when 'host' then (select x.name from hosts x where x.id = ${subject})
  when 'group' then (select x.name from server_groups x where x.id = ${subject})
  when 'category' then (select x.name from categories x where x.id = ${subject})
  when 'price-group' then (select x.name from price_groups x where x.id = ${subject})
  when 'ip-pool' then (select x.name from ip_pools x where x.id = ${subject})
  when 'image' then (select x.os_name || ' ' || x.os_version from images x where x.id = ${subject})
  when 'announcement' then (select x.title from announcements x where x.id = ${subject})
  when 'incident' then (select x.title from incidents x where x.id = ${subject})
  when 'job' then (select coalesce(o.server_name, s.name) from jobs x join servers s on s.id = x.server_id
    left join orders o on o.id = x.order_id where x.id = ${subject})
  when 'finding' then (select concat_ws(' ', h.name, coalesce(s.name, x.subject)) from findings x left join hosts h on h.id = x.host_id
    left join servers s on s.id = ${asId(sql`left(x.subject, 36)`)} where x.id = ${subject})
  end`

type Filtered = SelectQueryBuilder<{ a: DB['audit_log'] } & DB, 'a', { id: string }>

async function findPage(db: Db, filtered: Filtered, input: Filter) {
  const newestFirst = (query: Filtered) => query.orderBy('a.at', 'desc').orderBy('a.id', 'desc')
  if (!input.userId) return pageOfAll(db, newestFirst(filtered), input)
  const matches = [
    sql<boolean>`a.actor_id = ${input.userId}`,
    sql<boolean>`(a.subject_kind = 'user' and a.subject_id = ${input.userId})`,
  ]
  const searches = matches.map((match) => filtered.select('a.at as created_at').where(match))
  return pageOfFound(db, searches, newestFirst(filtered.where((eb) => eb.or(matches))), input)
}
