import { offeredMethods, paymentMethods, type PaymentMethod } from '@vps/shared/payments'
import { useState } from 'react'
import { trpc } from '../api/trpc'

/** The first until another is chosen; null without any. */
export function useMethod() {
  const site = trpc.shop.site.useQuery(undefined, { staleTime: 60_000 }).data
  const [chosen, choose] = useState<PaymentMethod | null>(null)
  // Unread, each may be offered: the server refuses.
  const offered = site ? offeredMethods(site) : paymentMethods
  const method = offered.find(({ code }) => code === chosen) ?? offered[0]
  return { offered, method: method?.code ?? null, choose }
}
