import type { AuditView } from '@vps/shared/audit'
import type { Page, PageInput } from '@vps/shared/page'
import type { Db } from '../db/client.js'
import { countRows, toPage } from '../db/page.js'

type Filter = PageInput & { action?: string | undefined; subjectId?: string | undefined; actor?: string | undefined }

/** Who did what, newest first; by the beginning of an action's name, a subject's id, or an actor's user name. */
export async function pageAudit(db: Db, input: Filter): Promise<Page<AuditView>> {
  let filtered = db.selectFrom('audit_log as a').leftJoin('users as u', 'u.id', 'a.actor_id').select('a.id')
  if (input.action) filtered = filtered.where('a.action', 'like', `${input.action.replaceAll(/[\\%_]/g, '\\$&')}%`)
  if (input.subjectId) filtered = filtered.where('a.subject_id', '=', input.subjectId)
  if (input.actor) filtered = filtered.where('u.username', '=', input.actor)
  const [rows, count] = await Promise.all([
    filtered
      .clearSelect()
      .selectAll('a')
      .select('u.username')
      .orderBy('a.at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(input.size)
      .offset(input.page * input.size)
      .execute(),
    countRows(db, filtered),
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
    details: (row.details ?? {}) as Record<string, unknown>,
  }))
  return toPage(content, count, input)
}
