import { offeredMethods, paymentMethods, type PaymentMethod } from '@vps/shared/payments'
import { useState } from 'react'
import { trpc } from '../api/trpc'

/** How to recharge, of what the shop offers: the first until another is chosen. Null where it offers nothing. */
export function useMethod() {
  const site = trpc.shop.site.useQuery(undefined, { staleTime: 60_000 }).data
  const [chosen, choose] = useState<PaymentMethod | null>(null)
  // Unread, each may be offered: the server refuses what is not.
  const offered = site ? offeredMethods(site) : paymentMethods
  const method = offered.find(({ code }) => code === chosen) ?? offered[0]
  return { offered, method: method?.code ?? null, choose }
}
