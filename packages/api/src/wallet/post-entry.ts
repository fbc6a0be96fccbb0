import { fen, type Fen } from '@vps/shared/money'
import type { EntryType } from '@vps/shared/wallet'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { documentNumber } from '../numbers.js'

export type Entry = {
  userId: string
  type: EntryType
  /** Incoming positive, outgoing negative. */
  amount: Fen
  /** The database refuses the same type and reference again (STATE_CHANGED). */
  reference: string
  description: string
  orderId?: string
  paymentId?: string
}

/**
 * The only code that inserts ledger entries. Locks the wallet and continues its chain (docs/money.md); the database
 * moves the balance. INSUFFICIENT_BALANCE; zero posts nothing.
 */
export async function postEntry(tx: Tx, entry: Entry, now: Date): Promise<void> {
  if (entry.amount === 0) return
  const wallet = await lockWallet(tx, entry.userId)
  if (!wallet) fail('INSUFFICIENT_BALANCE')
  const after = fen(wallet.balance_fen + entry.amount)
  if (after < 0) fail('INSUFFICIENT_BALANCE')
  await tx
    .insertInto('ledger_entries')
    .values({
      wallet_id: wallet.id,
      user_id: entry.userId,
      seq: wallet.last_seq + 1,
      id: uuidv7(),
      number: documentNumber('T', now),
      type: entry.type,
      reference: entry.reference,
      before_fen: wallet.balance_fen,
      amount_fen: entry.amount,
      after_fen: after,
      description: entry.description.slice(0, 200),
      order_id: entry.orderId ?? null,
      payment_id: entry.paymentId ?? null,
      created_at: now,
    })
    .execute()
  publish(tx, { user: entry.userId, what: 'wallet', id: wallet.id })
}

/** Comes first in commands that may post later (lock order, docs/money.md). */
export async function lockWallet(tx: Tx, userId: string) {
  return tx
    .selectFrom('wallets')
    .select(['id', 'balance_fen', 'last_seq'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}
