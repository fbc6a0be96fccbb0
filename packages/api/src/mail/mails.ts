import type { DayRange } from '@vps/shared/fields.contract'
import type { MailStatus } from '@vps/shared/mails'
import type { MailView } from '@vps/shared/mails.contract'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import type { Db, Tx } from '../db/client.js'
import { countRows, toPage } from '../db/page.js'

type Asked = PageInput & DayRange & { userId: string; status?: MailStatus | undefined }

/** To a customer, newest first. */
export async function pageMails(db: Db, asked: Asked): Promise<Page<MailView>> {
  let mails = db.selectFrom('mails').selectAll().where('user_id', '=', asked.userId)
  if (asked.status) mails = mails.where('status', '=', asked.status)
  if (asked.from) mails = mails.where('created_at', '>=', asked.from)
  if (asked.to) mails = mails.where('created_at', '<=', asked.to)
  const [rows, count] = await Promise.all([
    mails
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(asked.size)
      .offset(asked.page * asked.size)
      .execute(),
    countRows(db, mails.clearSelect().select('id')),
  ])
  const content = rows.map((row) => ({
    id: row.id,
    address: row.address,
    template: row.template,
    subject: row.subject,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    triedAt: row.tried_at?.toISOString() ?? null,
  }))
  return toPage(content, count, asked)
}

/** Forgets mails from before a moment. */
export async function deleteMails(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('mails').where('created_at', '<', before).execute()
}
