import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { fen } from '@vps/shared/money'
import { placeOrderInput } from '@vps/shared/orders.contract'
import { machinePasswordFault } from '@vps/shared/password'
import { describe, expect, it } from 'vitest'
import { makePassword, makePort } from '../../servers/machine-access'
import { faultsOf, fitted, presetsFor, priceNote, startDraft, toOrder } from './configurator'

const group: PriceGroupInFen = {
  id: '019aa000-0000-7000-8000-000000000001',
  name: '标准型',
  description: null,
  hourlyPrice: fen(0),
  dailyPrice: fen(0),
  monthlyPrice: fen(3000),
  quarterlyPrice: fen(0),
  semiAnnualPrice: fen(0),
  annualPrice: fen(28_000),
  sortOrder: 1,
  isActive: true,
  serverGroupId: '019aa000-0000-7000-8000-000000000002',
  salesPageHtml: null,
  hasDiscount: false,
  discountPercentage: null,
  discountStartTime: null,
  discountEndTime: null,
  unitRates: { cpu: fen(0), memory: fen(0), storage: fen(0), bandwidth: fen(0), ip: fen(0), backup: fen(0) },
  mostBackups: 0,
  included: { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 },
  natPorts: null,
  locked: false,
  dedicated: false,
  osOptions: [{ name: 'Debian', versions: ['11', '12'] }],
  available: true,
}

describe('the configurator', () => {
  it('starts with what the price covers, the newest version of the first system, and auto-renewal on', () => {
    expect(startDraft(group)).toMatchObject({
      spec: group.included,
      osName: 'Debian',
      osVersion: '12',
      autoRenewal: true,
      period: 'MONTHLY',
    })
  })

  it('starts with no period where the recommended month is not sold', () => {
    expect(startDraft({ ...group, monthlyPrice: fen(0) }).period).toBeNull()
  })

  it('keeps the chosen period when another price group is looked at that sells it', () => {
    const hourly = { period: 'HOURLY' as const, autoRenewal: true, sshKeyIds: [] }
    expect(startDraft(group, hourly).period).toBe('MONTHLY')
    expect(startDraft(group, { period: 'ANNUAL', autoRenewal: false, sshKeyIds: [] })).toMatchObject({
      period: 'ANNUAL',
      autoRenewal: false,
    })
  })

  it('keeps what was chosen as long as the plan lets it be chosen', () => {
    const included = { ...group.included, cpuCores: 8 }
    const draft = { ...startDraft(group), spec: { ...group.included, memoryGb: 16, backups: 3 } }
    expect(fitted(draft, { ...group, included, mostBackups: 7 })).toEqual(draft)
    expect(fitted(draft, { ...group, included, mostBackups: 2 }).spec).toEqual({ ...draft.spec, backups: 2 })
    for (const change of [{ locked: true }, { dedicated: true }])
      expect(fitted(draft, { ...group, ...change, included, mostBackups: 7 }).spec).toEqual({ ...included, backups: 3 })
  })

  it('lets go of a system and a period that are sold no more, so that another is asked for', () => {
    const draft = { ...startDraft(group), osVersion: '11' }
    const without = { osName: null, osVersion: null }
    expect(fitted(draft, { ...group, osOptions: [{ name: 'Debian', versions: ['12'] }] })).toMatchObject(without)
    expect(fitted(draft, { ...group, osOptions: [{ name: 'Ubuntu', versions: ['11'] }] })).toMatchObject(without)
    expect(fitted(draft, { ...group, monthlyPrice: fen(0) })).toEqual({ ...draft, period: null })
  })

  it('puts no key on a dedicated server, which is logged in to by password', () => {
    const draft = { ...startDraft(group), sshKeyIds: ['a key'] }
    expect(fitted(draft, group).sshKeyIds).toEqual(['a key'])
    expect(fitted(draft, { ...group, dedicated: true }).sshKeyIds).toEqual([])
  })

  it('makes an order that the contract accepts', () => {
    const draft = {
      ...startDraft(group),
      period: 'MONTHLY' as const,
      initialPassword: makePassword(),
      sshPort: makePort(),
    }
    expect(faultsOf(draft)).toEqual({})
    const order = placeOrderInput.parse(toOrder(draft as Parameters<typeof toOrder>[0]))
    expect(order.billingPeriod).toBe('MONTHLY')
    expect(order.sshPort).toBe(Number(draft.sshPort))
  })

  it('refuses exactly the ports and passwords that the contract refuses', () => {
    const ok = { ...startDraft(group), period: 'MONTHLY' as const }
    const cases = ['', '21', '22', '23', '1023', '1024', '65535', '65536', '２２２２', '2200.5', 'abc']
    for (const sshPort of cases) {
      const draft = { ...ok, sshPort } as Parameters<typeof toOrder>[0]
      const accepted = placeOrderInput.safeParse(toOrder(draft)).success
      expect(faultsOf(draft).sshPort === undefined, `port "${sshPort}"`).toBe(accepted)
    }
    for (const initialPassword of ['', 'short1A', 'Longenough1', 'nouppercase1', '空格 Aa1aaaa']) {
      const draft = { ...ok, initialPassword } as Parameters<typeof toOrder>[0]
      const accepted = placeOrderInput.safeParse(toOrder(draft)).success
      expect(faultsOf(draft).initialPassword === undefined, `password "${initialPassword}"`).toBe(accepted)
    }
  })

  it('offers presets that begin with what the price covers and grow, no two alike', () => {
    const offered = presetsFor(group)
    expect(offered[0]?.spec).toEqual(group.included)
    expect(offered.map(({ spec }) => [spec.cpuCores, spec.memoryGb, spec.storageGb])).toEqual([
      [2, 4, 40],
      [4, 8, 60],
      [8, 16, 100],
      [16, 32, 200],
    ])
  })

  it('offers no preset that is beyond the limits or only has another name', () => {
    const large = { included: { cpuCores: 16, memoryGb: 64, storageGb: 500, bandwidthMbps: 100, ipCount: 1 } }
    expect(presetsFor(large).map(({ name, spec }) => [name, spec.cpuCores, spec.memoryGb])).toEqual([
      ['入门', 16, 64],
      ['标准', 32, 128],
    ])
  })

  it('says of each amount that the price covers it, or what it adds for the period', () => {
    const rated = { ...group, unitRates: { ...group.unitRates, cpu: fen(2000) } }
    expect(priceNote(rated, 'cpuCores', 2, 'MONTHLY')).toBe('含在套餐内')
    expect(priceNote(rated, 'cpuCores', 4, 'MONTHLY')).toBe('超出部分 +¥40.00')
    expect(priceNote(rated, 'cpuCores', 4, 'ANNUAL')).toBe('超出部分 +¥480.00')
    expect(priceNote(rated, 'memoryGb', 8, 'MONTHLY')).toBe('不另收费')
  })

  it('generates passwords that machines accept', () => {
    for (let i = 0; i < 200; i++) expect(machinePasswordFault(makePassword())).toBeNull()
  })
})
