import type { CreatePaymentReply } from '@vps/shared/payments.contract'
import type { PaymentMethod } from '@vps/shared/payments'
import { text } from '@vps/shared/text'
import { rechargeMax, rechargeMin } from '@vps/shared/wallet'

/** What is wrong with a typed amount, or null. */
export function amountFault(typed: string): string | null {
  if (typed.trim() === '') return text.amountRequired
  if (!/^\d+(\.\d+)?$/.test(typed.trim())) return '金额格式不正确'
  const amount = Number(typed) * 100 // not yet known to be whole fen
  if (amount < rechargeMin) return '最低充值金额为¥1'
  if (amount > rechargeMax) return '单笔最高充值¥10,000'
  return /\.\d{3,}$/.test(typed.trim()) ? '金额最多保留两位小数' : null
}

/** A recharge that waits for its payment. */
export interface StartedPayment {
  reply: CreatePaymentReply
  money: number
  method: PaymentMethod
}
