import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'

/**
 * 取消支付: PENDING becomes CANCELLED. Late money is still credited, so reconciliation goes on. MOVE_NOT_ALLOWED, NOT_FOUND
 * for another's.
 */
export async function cancelPayment(tx: Tx, user: User, outTradeNo: string, now: Date): Promise<void> {
  const payment = await tx
    .selectFrom('payments')
    .select(['id', 'status'])
    .where('out_trade_no', '=', outTradeNo)
    .where('user_id', '=', user.id)
    .forUpdate()
    .executeTakeFirst()
  if (!payment) fail('NOT_FOUND')
  if (payment.status !== 'PENDING') fail('MOVE_NOT_ALLOWED', { message: '只有待支付的充值可以取消' })
  await tx.updateTable('payments').set({ status: 'CANCELLED', updated_at: now }).where('id', '=', payment.id).execute()
  await recordAudit(tx, actorOf(user), { action: 'payment.cancel', subject: { kind: 'payment', id: outTradeNo } }, now)
  publish(tx, { user: user.id, what: 'payment', id: outTradeNo })
}
