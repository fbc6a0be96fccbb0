import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweep } from '../schedule/sweep.js'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import type { Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
let buyActive: Sale['buyActive']
let toEnd: Sale['toEnd']
let agent: Sale['agent']
beforeEach(async () => void ({ app, shop, admin, lin, buyActive, toEnd, agent } = await openSale()))
afterEach(() => app.close())

test('a price group stays where it is while an unpaid order of it is open: nobody is set up where they did not order', async () => {
  const { data: elsewhere } = (await admin.post('/groups', { categoryId: shop.categoryId, name: '东京' })).body
  const group = (await admin.get(`/price-groups/${shop.priceGroupId}`)).body.data
  const save = (serverGroupId: string, change: object = {}) =>
    admin.put(`/price-groups/${group.id}`, { ...group, annualPrice: 300, version: undefined, serverGroupId, ...change })
  const { data: order } = (await lin.post('/orders', shop.order)).body
  const before = await everyRow(app)
  const message = '仍有 1 个未结束的订单使用此价格组，无法更改分组；可以为另一分组新建价格组'
  expect((await save(elsewhere.id)).body).toMatchObject({ code: 'IN_USE', message, errors: { serverGroupId: message } })
  expect(await everyRow(app)).toBe(before)
  expect((await save(shop.groupId, { name: '标准型 2' })).status).toBe(200)
  await lin.put(`/orders/${order.id}/cancel`)
  expect((await save(elsewhere.id)).status).toBe(200)
})

test('a price group stays where its servers are until the last of its orders ends: none pays for a plan of another place', async () => {
  const { data: elsewhere } = (await admin.post('/groups', { categoryId: shop.categoryId, name: '东京' })).body
  const { data: group } = (await admin.get(`/price-groups/${shop.priceGroupId}`)).body
  const save = () =>
    admin.put(`/price-groups/${group.id}`, {
      ...group,
      annualPrice: 300,
      version: undefined,
      serverGroupId: elsewhere.id,
    })
  const id = await buyActive()
  const before = await everyRow(app)
  const { body } = await save()
  expect(body).toMatchObject({ code: 'IN_USE', message: expect.stringContaining('仍有 1 个未结束的订单') })
  expect(await everyRow(app)).toBe(before)
  await lin.put(`/orders/${id}/auto-renewal`, { autoRenewal: false })
  for (const hours of [0, 72]) {
    await toEnd(id, hours * 3600_000)
    await sweep(app.deps)
  }
  expect((await save()).status).toBe(200)
})

test('a price group stays where it is while a server is being moved to it, and is free again where that came to nothing', async () => {
  const { data: elsewhere } = (await admin.post('/groups', { categoryId: shop.categoryId, name: '东京' })).body
  const { data: group } = (await admin.get(`/price-groups/${shop.priceGroupId}`)).body
  const input = { ...group, annualPrice: 300, version: undefined }
  const { data: larger } = (await admin.post('/price-groups', { ...input, name: '大型' })).body
  const move = () => admin.put(`/price-groups/${larger.id}`, { ...input, name: '大型', serverGroupId: elsewhere.id })
  const id = await buyActive()
  expect((await lin.post(`/orders/${id}/upgrade`, { priceGroupId: larger.id, cpuCores: 4 })).status).toBe(200)
  const { body } = await move()
  expect(body).toMatchObject({ code: 'IN_USE', message: expect.stringContaining('仍有 1 个未结束的订单') })
  await agent.serve({ ok: false, final: true })
  await sweep(app.deps)
  expect((await move()).status).toBe(200)
})

test('of two discounts set at once the later is told of the first, and none takes away one that it has not seen', async () => {
  const at = `/price-groups/${shop.priceGroupId}`
  const seen = (await admin.get(at)).body.data
  const first = await admin.post(`${at}/apply-discount`, { discountPercentage: 20, version: seen.version })
  expect(first.body.data).toMatchObject({ discountPercentage: 20, version: seen.version + 1 })
  const before = await everyRow(app)
  const later = await admin.post(`${at}/apply-discount`, { discountPercentage: 70, version: seen.version })
  expect(later.body).toMatchObject({ code: 'CONFLICT', errors: { discountPercentage: '已被修改为：20' } })
  const unseen = await admin.post(`${at}/restore-original-prices`, { version: seen.version })
  expect(unseen.body).toMatchObject({ code: 'CONFLICT' })
  expect(await everyRow(app)).toBe(before)
  const known = { version: seen.version + 1 }
  expect((await admin.post(`${at}/restore-original-prices`, known)).body.data).toMatchObject({ hasDiscount: false })
  // A script's, which names none.
  expect((await admin.post(`${at}/apply-discount`, { discountPercentage: 5 })).status).toBe(200)
})

test('what is wrong with a discount is said of the fields that were sent, which the two calls name differently', async () => {
  const at = `/price-groups/${shop.priceGroupId}`
  const past = '2020-01-01'
  const applied = await admin.post(`${at}/apply-discount`, { discountPercentage: 20, startTime: past, endTime: past })
  expect(Object.keys(applied.body.errors)).toEqual(['startTime', 'endTime'])
  const { data: group } = (await admin.get(at)).body
  const discount = { hasDiscount: true, discountPercentage: 20, discountStartTime: past, discountEndTime: past }
  const saved = await admin.put(at, { ...group, annualPrice: 300, ...discount })
  expect(Object.keys(saved.body.errors)).toEqual(['discountStartTime', 'discountEndTime'])
})
