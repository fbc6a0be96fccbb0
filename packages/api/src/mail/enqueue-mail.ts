import { sql } from 'kysely'
import type { SealedSecret } from '../vault.js'
import type { Tx } from '../db/client.js'

type OrderMail = 'orderActive' | 'orderRefunded' | 'renewalFailed' | 'orderSuspended' | 'orderResumed' | 'orderExpired'

/** What a mail is about; its words are made when it is sent, from what the rows say then. */
export type MailJob =
  | { template: OrderMail; userId: string; orderId: string }
  /** For this end of service only: once it has moved there is nothing to remind of. */
  | { template: 'orderExpiring'; userId: string; orderId: string; days: number; expiresAt: string }
  | AccountMail

/**
 * Codes and links are sealed: a queue is no place for them in the clear. With an address: that one, not the account's
 * own.
 */
export type AccountMail =
  | { template: 'resetCode'; userId: string; address: string; code: SealedSecret }
  | { template: 'emailTakeBack' | 'emailConfirm'; userId: string; address: string; token: SealedSecret }
  | { template: 'passwordChanged'; userId: string }

/** Asks for a mail in the transaction of the change that it tells of: sent once after commit, or never. */
export async function enqueueMail(tx: Tx, mail: MailJob): Promise<void> {
  await sql`select graphile_worker.add_job('send_mail', ${JSON.stringify(mail)}::json, max_attempts := 10)`.execute(tx)
}
