import type { TaskList } from 'graphile-worker'
import { sendResetCode } from '../../accounts/reset-password.js'
import { inTx } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import { composeMail } from '../../notifications/compose-mail.js'
import type { MailJob } from '../../notifications/enqueue-mail.js'
import { reconcilePayments } from '../../payments/reconcile.js'
import { askRoutineTests } from '../../servers/connection-tests.js'
import { forgetSecrets } from '../../servers/forget-secrets.js'
import { testEnteredServers } from './ssh-tests.js'
import { sweep } from './sweep.js'
import { tidy } from './tidy.js'

/** What graphile-worker runs. A timer's task takes no input: it picks what is due by itself. */
export function taskList(deps: Deps): TaskList {
  return {
    reconcile_payments: async () => void (await reconcilePayments(deps)),
    test_connections: async () => inTx(deps.db, (tx) => askRoutineTests(tx, deps.now())),
    test_entered_servers: async () => testEnteredServers(deps),
    sweep: async () => sweep(deps),
    forget_secrets: async () => void (await inTx(deps.db, (tx) => forgetSecrets(tx, deps.now()))),
    tidy: async () => inTx(deps.db, (tx) => tidy(tx, deps.now())),
    send_reset_code: async (payload) =>
      inTx(deps.db, (tx) => sendResetCode(tx, deps.vault, (payload as { email: string }).email, deps.now())),
    send_mail: async (payload) => sendMail(deps, payload as MailJob),
  }
}

async function sendMail(deps: Deps, job: MailJob): Promise<void> {
  const mail = await composeMail(deps.db, deps.vault, job, deps.config.publicUrl)
  if (!mail) return
  if (deps.sendMail) await deps.sendMail(mail)
  else deps.log.warn({ template: job.template }, 'mail not sent: SMTP_URL is not set')
}
