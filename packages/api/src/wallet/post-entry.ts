import type { Fen } from '@vps/shared/money'
import type { EntryType } from '@vps/shared/wallet'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
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
  /** Instead of the table's sentence, which asks the wallet's owner to recharge. */
  refusal?: string
}

/**
 * The only code that inserts ledger entries. Locks the wallet and continues its chain (docs/money.md) in one statement;
 * the database moves the balance. INSUFFICIENT_BALANCE, with what is sent next; zero posts nothing.
 */
export async function postEntry(tx: Tx, entry: Entry, now: Date): Promise<void> {
  const { userId, amount, refusal, ...rest } = entry
  if (amount === 0) return
  const values = {
    ...rest,
    userId,
    amount,
    id: uuidv7(),
    number: documentNumber('T', now),
    description: entry.description.slice(0, 200),
    orderId: entry.orderId ?? null,
    paymentId: entry.paymentId ?? null,
    now,
  }
  await ahead(tx, insertion.query(tx, values), ([posted]) => {
    if (!posted) fail('INSUFFICIENT_BALANCE', refusal === undefined ? {} : { message: refusal })
    publish(tx, { user: userId, what: 'wallet', id: posted.wallet_id })
  })
}

type Row = Omit<Entry, 'orderId' | 'paymentId' | 'refusal'> & {
  id: string
  number: string
  orderId: string | null
  paymentId: string | null
  now: Date
}

// Locked below, so that it reads the wallet as others left it. Later than the last entry whatever two clocks say: lists
// go by it.
const insertion = statement(
  (_, given: Given<Row>) => sql<{ wallet_id: string }>`
    insert into ledger_entries (wallet_id, user_id, seq, id, number, type, reference, before_fen, amount_fen, after_fen,
      description, order_id, payment_id, created_at)
    select w.id, w.user_id, w.last_seq + 1, ${given('id')}::uuid, ${given('number')}::text, ${given('type')}::text,
      ${given('reference')}::text, w.balance_fen, ${given('amount')}::bigint, w.balance_fen + ${given('amount')}::bigint,
      ${given('description')}::text, ${given('orderId')}::uuid, ${given('paymentId')}::uuid,
      greatest(${given('now')}::timestamptz, w.updated_at + interval '1 millisecond')
    from (select id, user_id, balance_fen, last_seq, updated_at from wallets where user_id = ${given('userId')} for update) w
    where w.balance_fen + ${given('amount')}::bigint >= 0
    returning wallet_id`,
)

/** First in commands that may post later (lock order, docs/money.md). */
export async function lockWallet(tx: Tx, userId: string) {
  return tx
    .selectFrom('wallets')
    .select(['id', 'balance_fen', 'last_seq'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}
