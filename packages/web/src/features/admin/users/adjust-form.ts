import { yuanToFen } from '@vps/shared/money.contract'
import * as text from '@vps/shared/text'
import type { Faults } from '../../../forms/contract-faults'

export interface Values {
  amount: number
  reason: string
}

/** The server has the same rules. */
export function faultsOf({ amount, reason }: Values): Faults {
  const parsed = yuanToFen.safeParse(amount)
  const wrongAmount = Number.isNaN(amount)
    ? text.required
    : parsed.success
      ? parsed.data === 0 && text.amountZero
      : parsed.error.issues[0]?.message
  const wrongReason = reason.trim() === '' ? text.reasonRequired : reason.trim().length > 200 && text.tooLong(200)
  return {
    ...(wrongAmount ? { amount: wrongAmount } : {}),
    ...(wrongReason ? { reason: wrongReason } : {}),
  }
}
