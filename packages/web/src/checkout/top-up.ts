/** The payment that an order waits for: found again after a reload, and by every tab of this browser. */
import { useState } from 'react'
import { idempotencyKey } from '../api/random'
import { readStored } from '../stored'

/** The customer's word to pay an order with so much of the balance, and the key that makes it once. */
export interface Agreed {
  amount: number
  key: string
}

interface TopUp {
  orderId: string
  outTradeNo: string
  /** Null: what arrives stays on the balance until the customer pays. */
  agreed: Agreed | null
}

const stored = 'top-up'

const readTopUp = () => readStored<TopUp>(localStorage, stored)

/** The word that an order is paid with this much. */
export const agreeTo = (amount: number): Agreed => ({ amount, key: idempotencyKey() })

/** The order that this payment was started for. */
export const orderOfPayment = (outTradeNo: string | null): string | null => {
  const kept = readTopUp()
  return kept?.outTradeNo === outTradeNo ? (kept?.orderId ?? null) : null
}

/** The newest only: of an older one the money is on the balance all the same. */
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
