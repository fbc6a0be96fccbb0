import type { TaskList } from 'graphile-worker'
import type { Tx } from '../../db/client.js'
import { inTx } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import { sweepOne } from '../../jobs/sweep.js'
import { composeMail } from '../../notifications/compose-mail.js'
import type { MailJob } from '../../notifications/enqueue-mail.js'
import { cancelOneUnpaid } from '../../orders/cancel-unpaid.js'
import { moveOneUnclaimed, refundOneOverdue } from '../../orders/set-up.js'
import { reverseOneUpgrade } from '../../orders/upgrade-order.js'
import { reconcilePayments } from '../../payments/reconcile.js'
import { jobFailed, jobProgressed, lockOrderOf } from '../outcomes.js'
import { tidy } from './tidy.js'

const atOnce = 500

/**
 * The timers. A task takes no input: it picks what is due, one row per transaction, rows that another process works on
 * skipped, so any number of processes may run it and one bad row stops nobody.
 */
export function taskList(deps: Deps): TaskList {
  return {
    reconcile_payments: async () => void (await reconcilePayments(deps)),
    sweep: async () => sweep(deps),
    tidy: async () => inTx(deps.db, (tx) => tidy(tx, deps.now())),
    send_mail: async (payload) => sendMail(deps, payload as MailJob),
  }
}

/** Everything that waits for a moment: lost leases, orders nobody set up, orders nobody paid. */
export async function sweep(deps: Deps): Promise<void> {
  await each(deps, async (tx) => {
    const lost = await sweepOne(tx, deps.now(), (jobId) => lockOrderOf(tx, jobId))
    if (!lost) return false
    if (lost.outcome === 'failed') await jobFailed(tx, lost.job, null, '宿主机失去联系', deps.now())
    else await jobProgressed(tx, { id: lost.job.id, serverId: lost.job.server_id })
    return true
  })
  await each(deps, (tx) => refundOneOverdue(tx, deps.now()))
  await each(deps, (tx) => moveOneUnclaimed(tx, deps.now()))
  await each(deps, (tx) => cancelOneUnpaid(tx, deps.now()))
  await each(deps, (tx) => reverseOneUpgrade(tx, deps.now()))
}

/** Runs `one` in transactions of its own until there is nothing left; a row that fails is logged and ends this round. */
async function each(deps: Deps, one: (tx: Tx) => Promise<boolean>): Promise<void> {
  try {
    for (let done = 0; done < atOnce; done++) if (!(await inTx(deps.db, one))) return
  } catch (error) {
    deps.log.error({ err: error }, 'a timer could not finish a row')
  }
}

async function sendMail(deps: Deps, job: MailJob): Promise<void> {
  const mail = await composeMail(deps.db, deps.vault, job, deps.config.publicUrl)
  if (!mail) return
  if (deps.sendMail) await deps.sendMail(mail)
  else deps.log.warn({ template: job.template }, 'mail not sent: SMTP_URL is not set')
}
