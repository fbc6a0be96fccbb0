import type { User } from '@vps/api/actor'
import type { Tx } from '@vps/api/db/client'
import { cancelPayment } from '@vps/api/payments/cancel-payment'
import { settlePayment } from '@vps/api/payments/settle-payment'
import { finishCreation, startRecharge } from '@vps/api/payments/start-recharge'
import { createPaymentInput } from '@vps/shared/payments.contract'
import * as text from '@vps/shared/text'

export type Recharge = {
  yuan: number
  method: 'alipay' | 'wxpay' | 'qqpay'
  fate: 'paid' | 'refused' | 'cancelled' | 'pending'
}

const unpaid = { kind: 'created', tradeNo: null, payUrl: null, qrCode: null } as const
const refused = { kind: 'refused', message: text.channelDown } as const

/** A past recharge, with a gateway's answers. */
export async function recharge(tx: Tx, user: User, { yuan, method, fate }: Recharge, at: Date): Promise<void> {
  const input = createPaymentInput.parse({ type: method, money: yuan })
  const id = await startRecharge(tx, user, { ...input, clientIp: '203.0.113.99', merchant: null }, at)
  const payment = await finishCreation(tx, id, fate === 'refused' ? refused : unpaid, at)
  const outTradeNo = payment.out_trade_no
  const later = new Date(at.getTime() + 42_000)
  if (fate === 'cancelled') await cancelPayment(tx, user, outTradeNo, later)
  if (fate !== 'paid') return
  const tradeNo = `DEMO${outTradeNo.slice(-12)}`
  await settlePayment(tx, { outTradeNo, tradeNo, amountFen: payment.money_fen, method }, later)
}
