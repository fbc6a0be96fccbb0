import type { AuditView } from '@vps/shared/audit.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Db } from '../db/client.js'
import { isOneOf, pageOfAll, pageOfFound, toPage } from '../db/page.js'
import type { DB } from '../db/schema.generated.js'

type Filter = PageInput & {
  action?: string | undefined
  subjectId?: string | undefined
  actor?: string | undefined
  userId?: string | undefined
}

/**
 * By a kind of acts (`order`) or one act (`order.pay`), a subject's id, an actor's user name, or somebody who did it or
 * to whom it was done.
 */
export async function pageAudit(db: Db, input: Filter): Promise<Page<AuditView>> {
  let filtered = db.selectFrom('audit_log as a').select('a.id')
  if (input.action) {
    const [kind = '', act] = input.action.split('.')
    filtered = filtered.where(sql`split_part(a.action, '.', 1)`, '=', kind)
    if (act) filtered = filtered.where('a.action', '=', input.action)
  }
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
    .select('u.username')
    .where(isOneOf('a.id', ids))
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .execute()
  const content = rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actorKind: row.actor_kind,
    actorName: row.username,
    action: row.action,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    address: row.address,
    details: row.details,
  }))
  return toPage(content, count, input)
}

type Filtered = SelectQueryBuilder<{ a: DB['audit_log'] } & DB, 'a', { id: string }>

async function findPage(db: Db, filtered: Filtered, input: Filter) {
  const newestFirst = (query: Filtered) => query.orderBy('a.at', 'desc').orderBy('a.id', 'desc')
  if (!input.userId) return pageOfAll(db, newestFirst(filtered), input)
  // Each by its own index.
  const matches = [
    sql<boolean>`a.actor_id = ${input.userId}`,
    sql<boolean>`(a.subject_kind = 'user' and a.subject_id = ${input.userId})`,
  ]
  const searches = matches.map((match) => filtered.select('a.at as created_at').where(match))
  return pageOfFound(db, searches, newestFirst(filtered.where((eb) => eb.or(matches))), input)
}
