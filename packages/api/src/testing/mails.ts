import { runOnce } from 'graphile-worker'
import { sql } from 'kysely'
import type { Mail } from '../deps.js'
import { taskList } from '../schedule/tasks.js'
import { composeMail } from '../mail/compose-mail.js'
import type { QueuedMail } from '../mail/enqueue-mail.js'
import type { TestApp } from './app.js'

/** As sent; deferred reset codes are made first. */
export async function waitingMails({ db, deps }: TestApp): Promise<Mail[]> {
  const { send_reset_code } = taskList(deps)
  await runOnce({ pgPool: deps.pools.commands, taskList: { send_reset_code }, noHandleSignals: true })
  const jobs = await queuedMails({ db })
  const mails = await Promise.all(jobs.map((job) => composeMail(db, deps.vault, job, 'http://shop')))
  return mails.filter((mail) => mail !== null)
}

/** As they wait. */
export async function queuedMails({ db }: Pick<TestApp, 'db'>): Promise<QueuedMail[]> {
  const { rows } = await sql<{ payload: QueuedMail }>`select j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'send_mail' order by j.id`.execute(
    db,
  )
  return rows.map(({ payload }) => payload)
}
