import type { SecondFactorEvent } from '@vps/shared/accounts'
import type { SuspendReason } from '@vps/shared/orders'
import type { Fen } from '@vps/shared/money'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { SealedSecret } from '../vault.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'

type OrderMail =
  | 'orderActive'
  | 'orderRefunded'
  | 'refundRejected'
  | 'renewalFailed'
  | 'orderSuspended'
  | 'orderResumed'
  | 'hostLost'

/** Its words are made when it is sent. */
export type MailJob =
  | { template: OrderMail; userId: string; orderId: string }
  /** On another host, as its own was lost; `isRenewed`: a new period was paid for. */
  | {
      template: 'orderRebuilt'
      userId: string
      orderId: string
      keepsAddresses: boolean
      isRenewed?: boolean
      credited?: Fen
    }
  /** By an administrator: then its owner could not have renewed it. */
  | { template: 'orderExpired'; userId: string; orderId: string; suspendedBy?: SuspendReason | null }
  /** For this end of service only. */
  | ExpiringMail
  /** By staff: the entry with this reference. */
  | { template: 'balanceAdjusted'; userId: string; reference: string }
  | AlertMail
  | AccountMail

/** `renewals`: what automatic ones take until then, and what the balance lacks for it; not from a version before. */
export type ExpiringMail = {
  template: 'orderExpiring'
  userId: string
  orderId: string
  days: number
  expiresAt: string
  renewals?: { amount: Fen; lacking: Fen }
}

/** To an administrator: so many of each, the first of them named. */
export type AlertMail = {
  template: 'operatorAlert'
  userId: string
  begun: Told[]
  ended: Told[]
  counts: { begun: number; ended: number }
}

/**
 * `finding`: its kind; null: the host is silent. `subject`: a server's name or what the finding names, null: the host.
 * Without `hostId`: told by a version before.
 */
export type Told = {
  finding: string | null
  host: string | null
  hostId?: string | null
  subject: string | null
  since: string
}

/** Sealed: queues hold nothing in the clear. `address` replaces the account's; not sent after `until`, nor once it opens nothing. */
export type AccountMail =
  | { template: 'resetCode'; userId: string; address: string; code: SealedSecret; until?: string }
  | { template: 'emailTakeBack' | 'emailConfirm'; userId: string; address: string; token: SealedSecret; until?: string }
  | { template: 'passwordChanged'; userId: string }
  | { template: 'secondFactor'; userId: string; event: SecondFactorEvent }

/** Those queued before mails were kept have no id. */
export type QueuedMail = MailJob & { mailId?: string }

/**
 * In its change's transaction: sent once after commit, or never. Keeps who was written to about what. The worker's last
 * task: it has two hands, and a silent mail server holds one for each mail. Tried for 40 hours, at last every six.
 */
export const enqueueMail = (tx: Tx, mail: MailJob) => enqueueMails(tx, [mail])

/** All at once. */
export async function enqueueMails(tx: Tx, mails: readonly MailJob[]): Promise<void> {
  if (mails.length === 0) return
  const jobs: QueuedMail[] = mails.map((mail) => ({ ...mail, mailId: uuidv7() }))
  await sql`
    with jobs as (select job from json_array_elements(${JSON.stringify(jobs)}::json) as job),
      kept as (insert into mails (id, user_id, address, template)
        select (job->>'mailId')::uuid, u.id, coalesce(job->>'address', u.email), job->>'template'
        from jobs join users u on u.id = (job->>'userId')::uuid)
    select graphile_worker.add_job('send_mail', job, max_attempts := 16, priority := 1) from jobs`.execute(tx)
  publish(tx, { shop: 'mail' })
}

/** Those waiting are not sent, and count as never written. */
export async function withdrawMails(tx: Tx): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = 'send_mail'`.execute(
    tx,
  )
  await tx.deleteFrom('mails').where('status', '=', 'queued').execute()
}
