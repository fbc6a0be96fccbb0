import { runOnce } from 'graphile-worker'
import { sql } from 'kysely'
import type { Mail } from '../deps.js'
import { taskList } from '../schedule/tasks.js'
import { composeMail } from '../mail/compose-mail.js'
import type { MailJob } from '../mail/enqueue-mail.js'
import type { TestApp } from './app.js'

/** As sent; deferred reset codes are made first. */
export async function waitingMails({ db, deps }: TestApp): Promise<Mail[]> {
  const { send_reset_code } = taskList(deps)
  await runOnce({ pgPool: deps.pools.commands, taskList: { send_reset_code }, noHandleSignals: true })
  const { rows } = await sql<{ payload: MailJob }>`select j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'send_mail' order by j.id`.execute(
    db,
  )
  const mails = await Promise.all(rows.map(({ payload }) => composeMail(db, deps.vault, payload, 'http://shop')))
  return mails.filter((mail) => mail !== null)
}
