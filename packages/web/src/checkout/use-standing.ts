import { errorTable } from '@vps/shared/errors'
import * as text from '@vps/shared/text'
import type { OrderView } from '@vps/shared/orders.contract'
import { orderedNoStock, orderedUnsold } from '@vps/shared/unpaid'
import { skipToken } from '@tanstack/react-query'
import { codeOf, messageOf } from '../api/errors'
import { trpc } from '../api/trpc'
import { paidWith } from './together'

const unsold: (string | null)[] = ['UNKNOWN_PRICE_GROUP', 'UNKNOWN_IMAGE', 'PERIOD_NOT_SOLD', 'INVALID_INPUT']

/**
 * Why an unpaid order cannot be paid, however much is recharged, and what it would cost today; null where nobody could
 * say, or has said yet (`isAsked`).
 */
export function useStanding(order: OrderView | undefined, asks: boolean): Standing {
  const placed = order && asks ? placedAs(order) : null
  const quote = trpc.orders.quote.useQuery(placed ?? skipToken, { staleTime: 0, retry: false })
  const { isLoading: isAsked } = quote
  if (!placed) return { hindrance: null, today: null, isAsked }
  if (quote.isError)
    return { hindrance: unsold.includes(codeOf(quote.error)) ? orderedUnsold : null, today: null, isAsked }
  const hindrance = quote.data?.available === false ? orderedNoStock(placed.quantity) : null
  return { hindrance, today: quote.data?.amount ?? null, isAsked }
}
type Standing = { hindrance: string | null; today: number | null; isAsked: boolean }

/** As it was chosen; what costs and places nothing is left out. */
function placedAs(order: OrderView) {
  const { priceGroupId, billingPeriod, osName, osVersion, backups } = order
  const { cpuCores, memoryGb, storageGb, bandwidthMbps, ipCount } = order
  const spec = { cpuCores, memoryGb, storageGb, bandwidthMbps, ipCount, backups }
  return { priceGroupId, billingPeriod, osName, osVersion, ...spec, quantity: paidWith(order).length }
}

/** The bare word says nothing that can be done. */
export function whyUnpaid(failure: unknown, order: OrderView): string {
  const message = messageOf(failure, text.payFailed)
  return message === errorTable.NO_STOCK.message ? orderedNoStock(paidWith(order).length) : message
}
