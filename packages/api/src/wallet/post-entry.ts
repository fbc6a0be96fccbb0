import type { Fen } from '@vps/shared/money'
import type { EntryType } from '@vps/shared/wallet'
import { sql } from 'kysely'
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
 * The only code that inserts ledger entries. Locks the wallet and continues its chain (docs/money.md) in one statement;
 * the database moves the balance. INSUFFICIENT_BALANCE; zero posts nothing.
 */
export async function postEntry(tx: Tx, entry: Entry, now: Date): Promise<void> {
  const { userId, type, amount, reference } = entry
  if (amount === 0) return
  // Locked below, so that what is read of the wallet is what stands once others are done with it.
  const { rows } = await sql<{ wallet_id: string }>`
    insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen,
      description, order_id, payment_id, created_at)
    select w.id, w.user_id, w.last_seq + 1, ${uuidv7()}::uuid, ${documentNumber('T', now)}::text, ${type}::text, ${reference}::text,
      w.balance_fen, ${amount}::bigint, w.balance_fen + ${amount}::bigint, ${entry.description.slice(0, 200)}::text,
      ${entry.orderId ?? null}::uuid, ${entry.paymentId ?? null}::uuid, ${now}::timestamptz
    from (select id, user_id, balance_fen, last_seq from wallets where user_id = ${userId} for update) w
    where w.balance_fen + ${amount}::bigint >= 0
    returning wallet_id`.execute(tx)
  const [posted] = rows
  if (!posted) fail('INSUFFICIENT_BALANCE')
  publish(tx, { user: userId, what: 'wallet', id: posted.wallet_id })
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
