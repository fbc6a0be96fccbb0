/** Found after a reload, and by every tab. */
import { useState } from 'react'
import { idempotencyKey } from '../api/random'
import { readStored } from '../stored'

/** The customer's word to pay so much, and the key that makes it once. */
export interface Agreed {
  amount: number
  key: string
}

interface Started {
  orderId: string
  outTradeNo: string
}

interface TopUp extends Started {
  /** Null: what arrives stays on the balance. */
  agreed: Agreed | null
}

const stored = 'top-up'
/** Outlives the word: the tab where one paid may come back when the order is paid already. */
const startedFor = 'top-up-for'

const readTopUp = () => readStored<TopUp>(localStorage, stored)

/** The word to pay this much. */
export const agreeTo = (amount: number): Agreed => ({ amount, key: idempotencyKey() })

/** The order a payment was started for. */
export const orderOfPayment = (outTradeNo: string | null): string | null => {
  const started = [readTopUp(), readStored<Started>(localStorage, startedFor)]
  return started.find((one) => one?.outTradeNo === outTradeNo)?.orderId ?? null
}

/** Only the newest: an older one's money is on the balance all the same. */
export function useTopUp(orderId: string) {
  const [topUp, show] = useState(() => {
    const kept = readTopUp()
    return kept?.orderId === orderId ? kept : null
  })

  function keep(next: Omit<TopUp, 'orderId'> | null): void {
    if (next) {
      localStorage.setItem(stored, JSON.stringify({ ...next, orderId }))
      localStorage.setItem(startedFor, JSON.stringify({ outTradeNo: next.outTradeNo, orderId }))
    } else if (readTopUp()?.orderId === orderId) localStorage.removeItem(stored)
    show(next && { ...next, orderId })
  }

  return [topUp, keep] as const
}
