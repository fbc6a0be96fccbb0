import { fen, formatYuan, type Fen } from '@vps/shared/money'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { openWallet } from './open-wallet.js'
import { lockWallet, postEntry } from './post-entry.js'

/**
 * Signed; the reason is audited, and its owner told by mail. NOT_FOUND, INSUFFICIENT_BALANCE; STATE_CHANGED where
 * another balance was shown.
 */
export async function adjustBalance(
  tx: Tx,
  admin: User,
  input: { userId: string; amount: Fen; reason: string; balance?: Fen | undefined },
  now: Date,
): Promise<void> {
  const user = await tx.selectFrom('users').select('id').where('id', '=', input.userId).executeTakeFirst()
  if (!user) fail('UNKNOWN_RECORD')
  await openWallet(tx, input.userId, now)
  const before = (await lockWallet(tx, input.userId))?.balance_fen ?? fen(0)
  if (input.balance !== undefined && input.balance !== before)
    fail('STATE_CHANGED', { message: `余额已变为 ${formatYuan(before)}，请核对后再提交` })
  // The table's sentence asks a customer to recharge.
  if (before + input.amount < 0) fail('INSUFFICIENT_BALANCE', { message: `余额只有 ${formatYuan(before)}，不足以扣减` })
  const reference = uuidv7()
  const entry = { type: 'ADJUSTMENT', reference, description: `管理员调整：${input.reason}` } as const
  await postEntry(tx, { userId: input.userId, amount: input.amount, ...entry }, now)
  const details = {
    before: { balanceFen: before },
    after: { balanceFen: before + input.amount },
    amountFen: input.amount,
    reason: input.reason,
  }
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'wallet.adjust', subject: { kind: 'user', id: input.userId }, details },
    now,
  )
  await enqueueMail(tx, { template: 'balanceAdjusted', userId: input.userId, reference })
}
