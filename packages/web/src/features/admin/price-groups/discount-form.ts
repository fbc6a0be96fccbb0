import { discountFaults } from '@vps/shared/discounts'
import { applyDiscountInput, type AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import { momentOf, valuesOf } from './price-group-form'

export interface Values {
  discountPercentage: number | null
  startTime: string
  endTime: string
  version?: number
}

export function termsOf(group: AdminPriceGroup): Values {
  const { discountPercentage, discountStartTime, discountEndTime } = valuesOf(group)
  return { discountPercentage, startTime: discountStartTime, endTime: discountEndTime, version: group.version }
}

export const inputOf = (group: AdminPriceGroup, { discountPercentage, startTime, endTime, version }: Values) => ({
  id: group.id,
  version,
  // Nothing typed is no number.
  discountPercentage: discountPercentage ?? Number.NaN,
  startTime: momentOf(startTime, group.discountStartTime),
  endTime: momentOf(endTime, group.discountEndTime),
})

export function faultsOf(group: AdminPriceGroup, values: Values, now: Date): Faults {
  const input = inputOf(group, values)
  const parsed = applyDiscountInput.safeParse(input)
  if (!parsed.success) return contractFaults(applyDiscountInput, input)
  const moment = (at: string | null) => (at === null ? null : new Date(at))
  const before = {
    discountStartTime: moment(group.discountStartTime),
    discountEndTime: moment(group.discountEndTime),
  }
  const next = { discountStartTime: parsed.data.startTime, discountEndTime: parsed.data.endTime }
  const { discountStartTime, discountEndTime } = discountFaults(next, before, now)
  return {
    ...(discountStartTime ? { startTime: discountStartTime } : {}),
    ...(discountEndTime ? { endTime: discountEndTime } : {}),
  }
}
