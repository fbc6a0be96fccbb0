/** Found after a reload, and by every tab. */
import { useState } from 'react'
import { idempotencyKey } from '../api/random'
import { readStored } from '../stored'

/** The customer's word to pay so much, and the key that makes it once. */
export interface Agreed {
  amount: number
  key: string
}

interface TopUp {
  orderId: string
  outTradeNo: string
  /** Null: what arrives stays on the balance. */
  agreed: Agreed | null
}

const stored = 'top-up'

const readTopUp = () => readStored<TopUp>(localStorage, stored)

/** The word to pay this much. */
export const agreeTo = (amount: number): Agreed => ({ amount, key: idempotencyKey() })

/** The order a payment was started for. */
export const orderOfPayment = (outTradeNo: string | null): string | null => {
  const kept = readTopUp()
  return kept?.outTradeNo === outTradeNo ? (kept?.orderId ?? null) : null
}

/** Only the newest: an older one's money is on the balance all the same. */
export function useTopUp(orderId: string) {
  const [topUp, show] = useState(() => {
    const kept = readTopUp()
    return kept?.orderId === orderId ? kept : null
  })

  function keep(next: Omit<TopUp, 'orderId'> | null): void {
    if (next) localStorage.setItem(stored, JSON.stringify({ ...next, orderId }))
    else if (readTopUp()?.orderId === orderId) localStorage.removeItem(stored)
    show(next && { ...next, orderId })
  }

  return [topUp, keep] as const
}
