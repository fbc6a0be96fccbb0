import type { PriceGroupView } from '@vps/shared/catalogue.contract'
import { upgradeInput } from '@vps/shared/orders.contract'
import { describe, expect, it } from 'vitest'
import { biggerOffers, fittedUpgrade, startUpgrade, toUpgrade } from './upgrade'

const order = {
  id: '019aa000-0000-7000-8000-000000000001',
  priceGroupId: '019aa000-0000-7000-8000-000000000002',
  serverGroupId: 'g',
  cpuCores: 2,
  memoryGb: 4,
  storageGb: 40,
  bandwidthMbps: 100,
  ipCount: 1,
  backups: 1,
}
const group = (id: string, cpuCores: number, locked = false, serverGroupId = 'g') =>
  ({
    id,
    serverGroupId,
    locked,
    included: { cpuCores, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 },
  }) as PriceGroupView

describe('an upgrade', () => {
  it('is nothing to ask for until something grows', () => {
    expect(toUpgrade(order, startUpgrade(order))).toBeNull()
  })

  it('becomes an input that the contract accepts once it does', () => {
    const draft = startUpgrade(order)
    const input = toUpgrade(order, { ...draft, spec: { ...draft.spec, cpuCores: 4 } })
    expect(upgradeInput.parse(input)).toMatchObject({ id: order.id, cpuCores: 4, memoryGb: 4 })
    expect(input).not.toHaveProperty('priceGroupId')
  })

  it('of addresses alone is one, and a plan that includes fewer is still offered', () => {
    const draft = startUpgrade(order)
    expect(toUpgrade(order, { ...draft, spec: { ...draft.spec, ipCount: 3 } })).toMatchObject({
      ipCount: 3,
      cpuCores: 2,
    })
    const owner = { ...order, ipCount: 3 }
    expect(biggerOffers(owner, [group('locked', 4, true)])).toHaveLength(1)
    expect(startUpgrade(owner, group('locked', 4, true)).spec.ipCount).toBe(3)
  })

  it('of backups alone is one, and leaves the machine as it is', () => {
    const draft = startUpgrade(order)
    const more = { ...draft, spec: { ...draft.spec, backups: 3 } }
    expect(toUpgrade(order, more)).toMatchObject({ backups: 3, cpuCores: 2 })
    expect(toUpgrade(order, { ...draft, spec: { ...draft.spec, backups: 0 } })).toBeNull()
  })

  it('starts another price group at what that includes, never below what there is', () => {
    const bigger = {
      ...group('019aa000-0000-7000-8000-000000000003', 8),
      included: { ...group('x', 8).included, memoryGb: 1 },
    }
    expect(startUpgrade(order, bigger).spec).toMatchObject({ cpuCores: 8, memoryGb: 4 })
    expect(toUpgrade(order, startUpgrade(order, bigger))).toMatchObject({ priceGroupId: bigger.id, cpuCores: 8 })
  })

  it('to another plan is as that is now: what a fixed one includes by then, and nothing of one that is gone', () => {
    const draft = startUpgrade(order, group('plan', 4, true))
    const withBackups = { ...draft, spec: { ...draft.spec, backups: 3 } }
    const now = fittedUpgrade(order, withBackups, [group('plan', 8, true)])
    expect(now).toEqual({ priceGroupId: 'plan', spec: { ...withBackups.spec, cpuCores: 8 } })
    expect(fittedUpgrade(order, draft, [group('plan', 8)])).toBe(draft)
    expect(fittedUpgrade(order, draft, [])).toEqual(startUpgrade(order))
    const own = { ...startUpgrade(order), spec: { ...draft.spec, cpuCores: 6 } }
    expect(fittedUpgrade(order, own, [])).toBe(own)
  })

  it('offers only price groups of the same server group with more and nothing less', () => {
    const all = [
      group(order.priceGroupId, 4),
      group('more', 4),
      group('same', 2),
      group('elsewhere', 8, false, 'h'),
      group('less-locked', 1, true),
    ]
    expect(biggerOffers(order, all).map(({ id }) => id)).toEqual(['more'])
  })
})
