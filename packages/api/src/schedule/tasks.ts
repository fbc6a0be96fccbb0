import type { JobHelpers, TaskList } from 'graphile-worker'
import { sendResetCode } from '../accounts/reset-password.js'
import type { Tx } from '../db/client.js'
import { inTx } from '../db/tx.js'
import type { Deps } from '../deps.js'
import type { QueuedMail } from '../mail/enqueue-mail.js'
import { freeHeldMails } from '../mail/free-held.js'
import { sendMail } from '../mail/send-mail.js'
import { reconcilePayments } from '../payments/reconcile.js'
import { enqueueRoutineTests } from '../servers/kvm/connection-tests.js'
import { deleteSecrets } from '../fulfilment/delete-secrets.js'
import { packMetrics } from '../metrics/pack.js'
import { writeDueNames } from '../reverse-names/write-due.js'
import { lookAtServices } from '../status/look.js'
import { timerMoment } from './moment.js'
import { sweep } from './sweep.js'
import { tidy } from './tidy.js'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      send_reset_code: { email: string }
      send_mail: QueuedMail
    }
  }
}

/** What graphile-worker runs. */
export function taskList(deps: Deps) {
  return {
    // Queued by a version before; it has a loop of its own.
    reconcile_payments: async () => {},
    test_connections: () => inTimerTx(deps, enqueueRoutineTests),
    sweep: async () => {
      await sweep(deps)
      await freeHeldMails(deps.db)
    },
    forget_secrets: () => inTimerTx(deps, deleteSecrets),
    pack_metrics: () => packDue(deps),
    look_at_services: () => lookDue(deps),
    tidy: () => inTimerTx(deps, tidy),
    send_reset_code: async (payload) => inTx(deps.db, (tx) => sendResetCode(tx, deps.vault, payload.email, deps.now())),
    send_mail: async (payload: QueuedMail, helpers?: JobHelpers) => sendMail(deps, payload, helpers?.abortSignal),
  } satisfies TaskList
}

/** What the gateway told nobody of. */
export async function askForRecharges(deps: Deps): Promise<void> {
  if (await timerMoment(deps)) await reconcilePayments(deps)
}

/** Reverse names, to the operator's server. */
export async function writeNames(deps: Deps): Promise<void> {
  const now = await timerMoment(deps)
  if (now) await writeDueNames(deps, now)
}

async function packDue(deps: Deps): Promise<void> {
  const now = await timerMoment(deps)
  if (now) await packMetrics(deps.db, now)
}

async function lookDue(deps: Deps): Promise<void> {
  const now = await timerMoment(deps)
  if (now) await lookAtServices(deps, now)
}

/** At the database's moment; nothing if the process's clock is wrong. */
async function inTimerTx(deps: Deps, act: (tx: Tx, now: Date) => Promise<unknown>): Promise<void> {
  const now = await timerMoment(deps)
  if (now) await inTx(deps.db, (tx) => act(tx, now))
}
