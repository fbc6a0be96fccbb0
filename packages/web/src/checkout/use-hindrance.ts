import type { OrderView } from '@vps/shared/orders.contract'
import { orderedNoStock, orderedUnsold } from '@vps/shared/unpaid'
import { skipToken } from '@tanstack/react-query'
import { codeOf } from '../api/errors'
import { trpc } from '../api/trpc'
import { paidWith } from './together'

const unsold: (string | null)[] = ['UNKNOWN_PRICE_GROUP', 'UNKNOWN_IMAGE', 'PERIOD_NOT_SOLD', 'INVALID_INPUT']

/** Why an unpaid order cannot be paid, however much is recharged; null also where nobody could say. */
export function useHindrance(order: OrderView | undefined, asks: boolean): string | null {
  const placed = order && asks ? placedAs(order) : null
  const quote = trpc.orders.quote.useQuery(placed ?? skipToken, { staleTime: 0, retry: false })
  if (!placed) return null
  if (quote.isError) return unsold.includes(codeOf(quote.error)) ? orderedUnsold : null
  return quote.data?.available === false ? orderedNoStock(placed.quantity) : null
}

/** As it was chosen; what costs and places nothing is left out. */
function placedAs(order: OrderView) {
  const { priceGroupId, billingPeriod, osName, osVersion, backups } = order
  const { cpuCores, memoryGb, storageGb, bandwidthMbps, ipCount } = order
  const spec = { cpuCores, memoryGb, storageGb, bandwidthMbps, ipCount, backups }
  return { priceGroupId, billingPeriod, osName, osVersion, ...spec, quantity: paidWith(order).length }
}
