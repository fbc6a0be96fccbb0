import type { AuditView } from '@vps/shared/audit.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { countRows, toPage } from '../db/page.js'

type Filter = PageInput & { action?: string | undefined; subjectId?: string | undefined; actor?: string | undefined }

/** By a kind of acts (`order`) or one act (`order.pay`), a subject's id, or an actor's user name. */
export async function pageAudit(db: Db, input: Filter): Promise<Page<AuditView>> {
  let filtered = db.selectFrom('audit_log as a').leftJoin('users as u', 'u.id', 'a.actor_id').select('a.id')
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
  const ordered = filtered.orderBy('a.at', 'desc').orderBy('a.id', 'desc')
  const [rows, count] = await Promise.all([
    ordered
      .clearSelect()
      .selectAll('a')
      .select('u.username')
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, ordered),
  ])
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
