import * as text from '@vps/shared/text'
import { rechargeMax, rechargeMin } from '@vps/shared/wallet'

/** Null where it is right. */
export function amountFault(typed: string): string | null {
  if (typed.trim() === '') return text.amountRequired
  if (!/^\d+(\.\d+)?$/.test(typed.trim())) return text.badAmount
  const amount = Number(typed) * 100 // perhaps no whole fen
  if (amount < rechargeMin) return text.rechargeTooSmall
  if (amount > rechargeMax) return text.rechargeTooLarge
  return /\.\d{3,}$/.test(typed.trim()) ? text.amountDecimals : null
}
