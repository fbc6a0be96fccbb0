import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { readOpenFinding, resolveFinding } from '../findings/findings.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { postEntry } from '../wallet/post-entry.js'
import { tradeOf } from './found-payments.js'

/**
 * What was paid twice under one number becomes its payer's balance, once, and the finding is handled; a mail tells it.
 * NOT_FOUND, NOT_SUPPORTED.
 */
export async function creditExtra(tx: Tx, admin: User, findingId: string, now: Date): Promise<void> {
  const finding = await readOpenFinding(tx, findingId)
  if (finding.kind !== 'paid-twice') fail('NOT_SUPPORTED', { message: '这一发现项不是重复付款，不能转入余额' })
  const { outTradeNo, tradeNo } = tradeOf(finding.subject)
  const trade = await tx
    .selectFrom('payment_trades as t')
    .innerJoin('payments as p', 'p.id', 't.payment_id')
    .select(['p.user_id', 'p.money_fen', 't.gateway'])
    .where('p.out_trade_no', '=', outTradeNo)
    .where('t.trade_no', '=', tradeNo)
    .where('t.overpaid', '=', true)
    .executeTakeFirst()
  if (!trade) fail('NOT_FOUND')
  const reference = `trade:${trade.gateway}:${tradeNo}`
  const entry = {
    userId: trade.user_id,
    type: 'ADJUSTMENT',
    amount: trade.money_fen,
    reference,
    description: `充值 ${outTradeNo} 重复付款，转入余额`,
  } as const
  await postEntry(tx, entry, now)
  await resolveFinding(tx, admin, findingId, now)
  const details = { outTradeNo, tradeNo, amountFen: trade.money_fen }
  const subject = { kind: 'user', id: trade.user_id } as const
  await recordAudit(tx, actorOf(admin), { action: 'payment.creditExtra', subject, details }, now)
  await enqueueMail(tx, { template: 'balanceAdjusted', userId: trade.user_id, reference })
}
