import type { AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { describe, expect, it } from 'vitest'
import { emptyValues, faultsOf, freeRates, inputOf, valuesOf, type Values } from './price-group-form'

const now = new Date('2026-11-20T04:00:00Z')
const filled: Values = {
  ...emptyValues(),
  name: '标准型',
  serverGroupId: '019a9f4e-7f3a-7e39-8d8f-9d2f5a1b2c3d',
  hourlyPrice: 0.1,
  dailyPrice: 2,
  monthlyPrice: 50,
  quarterlyPrice: 140,
  semiAnnualPrice: 270,
  annualPrice: 500,
}
const discounted = { ...filled, hasDiscount: true, discountPercentage: 20 }

describe('the form of a price group', () => {
  it('names what a customer may choose the most of for nothing more', () => {
    expect(freeRates(filled)).toEqual(['CPU', '内存', '存储'])
    expect(freeRates({ ...filled, cpuRate: 10, storageRate: 1 })).toEqual(['内存'])
    expect(freeRates({ ...filled, cpuRate: 10, memoryRate: Number.NaN, storageRate: 1 })).toEqual([])
  })

  it('asks for every price and refuses 0', () => {
    const faults = faultsOf({ ...emptyValues(), monthlyPrice: 0 }, null, now)
    expect(faults).toMatchObject({
      name: '此字段为必填项',
      serverGroupId: '请选择服务器分组',
      hourlyPrice: '此字段为必填项',
      annualPrice: '此字段为必填项',
      monthlyPrice: '价格必须大于0',
    })
  })

  it('sends yuan, and nothing of a discount that is off', () => {
    expect(faultsOf(filled, null, now)).toEqual({})
    const sent = inputOf({ ...filled, discountPercentage: 20, discountStartTime: '2026-12-01' }, null)
    expect(sent).toMatchObject({
      monthlyPrice: 50,
      hasDiscount: false,
      discountPercentage: null,
      discountStartTime: null,
      salesPageHtml: null,
    })
  })

  it('wants a percentage above 0 and up to 100, and days from tomorrow in their order', () => {
    expect(faultsOf({ ...discounted, discountPercentage: null }, null, now)).toHaveProperty('discountPercentage')
    expect(faultsOf({ ...discounted, discountPercentage: 100.5 }, null, now)).toHaveProperty('discountPercentage')
    expect(faultsOf({ ...discounted, discountStartTime: '2026-11-20' }, null, now)).toEqual({
      discountStartTime: '开始日期必须晚于今天',
    })
    const turned = { ...discounted, discountStartTime: '2026-12-05', discountEndTime: '2026-12-01' }
    expect(faultsOf(turned, null, now)).toEqual({ discountEndTime: '结束日期不能早于开始日期' })
    expect(faultsOf({ ...discounted, discountStartTime: '2026-11-21' }, null, now)).toEqual({})
  })

  it('gives an old day back as the moment it was, so that it is accepted unchanged', () => {
    const before = { discountStartTime: '2026-10-31T16:30:00.000Z', discountEndTime: null }
    const values = { ...discounted, discountStartTime: '2026-11-01' }
    expect(inputOf(values, before).discountStartTime).toBe(before.discountStartTime)
    expect(faultsOf(values, before, now)).toEqual({})
    expect(faultsOf({ ...values, discountStartTime: '2026-11-02' }, before, now)).toHaveProperty('discountStartTime')
  })

  it('turns a structured sales page into the form and back', () => {
    const document = {
      cpu_cores: 4,
      memory: 8,
      disk_space: 80,
      network_speed: 100,
      ip_count: 1,
      operating_system: [{ name: 'Debian', versions: ['12', '13'] }],
    }
    const values = valuesOf(groupWith(JSON.stringify(document)))
    expect(values).toMatchObject({ page: 'document', document: { systems: [{ name: 'Debian', versions: '12，13' }] } })
    expect(JSON.parse(inputOf(values, null).salesPageHtml!)).toEqual(document)
    expect(faultsOf({ ...values, document: { ...values.document, memory: 129 } }, null, now)).toEqual({
      'document.memory': '内存需为1-128的整数',
    })
    expect(valuesOf(groupWith('<p>云</p>'))).toMatchObject({ page: 'html', html: '<p>云</p>' })
  })
})

function groupWith(salesPageHtml: string): AdminPriceGroup {
  const { name, serverGroupId, hourlyPrice, dailyPrice, monthlyPrice, quarterlyPrice, semiAnnualPrice, annualPrice } =
    filled
  return {
    id: '019a9f4e-7f3a-7e39-8d8f-9d2f5a1b2c3e',
    name,
    description: null,
    serverGroupId,
    hourlyPrice,
    dailyPrice,
    monthlyPrice,
    quarterlyPrice,
    semiAnnualPrice,
    annualPrice,
    mostBackups: 0,
    sortOrder: 1,
    isActive: true,
    salesPageHtml,
    hasDiscount: false,
    discountPercentage: null,
    discountStartTime: null,
    discountEndTime: null,
    unitRates: { cpu: 0, memory: 0, storage: 0, bandwidth: 0, ip: 0, backup: 0 },
    included: { cpuCores: 4, memoryGb: 8, storageGb: 80, bandwidthMbps: 100, ipCount: 1 },
    natPorts: null,
    locked: true,
    dedicated: false,
    osOptions: [],
    version: 1,
    serverGroupName: '华东',
    snapshots: 1,
    diskIops: 0,
    diskMbPerSecond: 0,
    discountActive: false,
  }
}
