import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { openStaffedShop } from '../testing/sale.js'
import type { Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop()))
afterEach(() => app.close())

test('a price group stays where it is while an unpaid order of it is open: nobody is set up where they did not order', async () => {
  const { data: elsewhere } = (await admin.post('/groups', { categoryId: shop.categoryId, name: '东京' })).body
  const group = (await admin.get(`/price-groups/${shop.priceGroupId}`)).body.data
  const save = (serverGroupId: string, change: object = {}) =>
    admin.put(`/price-groups/${group.id}`, { ...group, annualPrice: 300, version: undefined, serverGroupId, ...change })
  const { data: order } = (await lin.post('/orders', shop.order)).body
  const before = await everyRow(app)
  const message = '仍有 1 个待付款的订单使用此价格组，无法更改分组；可以为另一分组新建价格组'
  expect((await save(elsewhere.id)).body).toMatchObject({ code: 'IN_USE', message, errors: { serverGroupId: message } })
  expect(await everyRow(app)).toBe(before)
  expect((await save(shop.groupId, { name: '标准型 2' })).status).toBe(200)
  await lin.put(`/orders/${order.id}/cancel`)
  expect((await save(elsewhere.id)).status).toBe(200)
})
