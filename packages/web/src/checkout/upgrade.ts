/** The form only grows. */
import * as labels from '@vps/shared/labels'
import type { PriceGroupView } from '@vps/shared/catalogue.contract'
import type { OrderView } from '@vps/shared/orders.contract'
import { byName } from '@vps/shared/records'

const sizeFields = [
  { field: 'cpuCores', label: 'CPU', unit: labels.cores, step: 1 },
  { field: 'memoryGb', label: labels.memory, unit: 'GB', step: 1 },
  { field: 'storageGb', label: labels.storage, unit: 'GB', step: 10 },
  { field: 'bandwidthMbps', label: labels.bandwidth, unit: 'Mbps', step: 1 },
] as const

export const growthFields = [
  ...sizeFields,
  { field: 'ipCount', label: labels.ipCount, unit: labels.piecesUnit, step: 1 },
] as const

type GrowthField = (typeof growthFields)[number]['field']
type Owned = Pick<OrderView, GrowthField | 'backups' | 'id' | 'priceGroupId' | 'serverGroupId'>

export interface UpgradeDraft {
  priceGroupId: string
  spec: Record<GrowthField | 'backups', number>
}

/** What the server has, or at least what `offer` includes. */
export function startUpgrade(order: Owned, offer?: Pick<PriceGroupView, 'id' | 'included'>): UpgradeDraft {
  const fields = growthFields.map(({ field }) => field)
  const spec = byName(fields, (field) => Math.max(order[field], offer?.included[field] ?? 0))
  return { priceGroupId: offer?.id ?? order.priceGroupId, spec: { ...spec, backups: order.backups } }
}

/**
 * As plans and order are now, which may be others than when it was chosen: what a fixed one includes, nothing of one
 * that is gone, and no less than there is.
 */
export function fittedUpgrade(order: Owned, draft: UpgradeDraft, offers: readonly PriceGroupView[]): UpgradeDraft {
  const { priceGroupId } = draft
  const offer = offers.find(({ id }) => id === priceGroupId)
  if (!offer && priceGroupId !== order.priceGroupId) return startUpgrade(order)
  if (!offer?.locked && everyField.every((field) => draft.spec[field] >= order[field])) return draft
  const chosen = offer?.locked ? { ...startUpgrade(order, offer).spec, backups: draft.spec.backups } : draft.spec
  return { priceGroupId, spec: byName(everyField, (field) => Math.max(chosen[field], order[field])) }
}
const everyField = [...growthFields.map(({ field }) => field), 'backups'] as const

/** Null while nothing is more than before. */
export function toUpgrade(order: Owned, draft: UpgradeDraft) {
  const other = draft.priceGroupId !== order.priceGroupId
  const grown = isLarger(order, draft) || draft.spec.backups > order.backups
  if (!grown) return null
  return { id: order.id, ...(other ? { priceGroupId: draft.priceGroupId } : {}), ...draft.spec }
}

const isLarger = (order: Owned, { spec }: Pick<UpgradeDraft, 'spec'>) =>
  growthFields.some(({ field }) => spec[field] > order[field])

/** In the same group, with nothing less. Addresses stay, however many it includes. */
export function biggerOffers(order: Owned, all: PriceGroupView[]): PriceGroupView[] {
  return all.filter(
    (offer) =>
      offer.id !== order.priceGroupId &&
      offer.serverGroupId === order.serverGroupId &&
      (!offer.locked || sizeFields.every(({ field }) => offer.included[field] >= order[field])) &&
      sizeFields.some(({ field }) => offer.included[field] > order[field]),
  )
}
