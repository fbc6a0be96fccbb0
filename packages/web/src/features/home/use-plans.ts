import { priceGroupInFen } from '@vps/shared/catalogue'
import { plansOnSale, type Plan } from '@vps/shared/plans'
import { useMemo } from 'react'
import { trpc } from '../../api/trpc'

/** None until read: the page stands without prices. */
export function usePlans(): Plan[] {
  const groups = trpc.shop.groups.useQuery().data
  const priceGroups = trpc.shop.priceGroups.useQuery().data
  return useMemo(
    () => (groups && priceGroups ? plansOnSale(groups, priceGroups.map(priceGroupInFen), new Date()) : []),
    [groups, priceGroups],
  )
}
