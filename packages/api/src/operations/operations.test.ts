import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { call, type Person } from '../testing/people.js'
import { openStaffedShop } from '../testing/sale.js'
import { addHost, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop()))
afterEach(() => app.close())

const remove = (path: string) => call(app, 'DELETE', path, { token: admin.token })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000 + 8 * 3600_000).toISOString().slice(0, 10)

describe('the catalogue', () => {
  test('is kept: made, searched, changed and deleted', async () => {
    const { body } = await admin.post('/categories', { name: '裸金属', sortOrder: 9 })
    expect((await admin.get(`/categories?search=${encodeURIComponent('裸')}`)).body).toMatchObject({
      success: true,
      totalElements: 1,
      data: [{ name: '裸金属', version: 1 }],
    })
    expect((await admin.post('/categories', { name: '裸金属' })).body.code).toBe('NAME_TAKEN')
    expect((await admin.post('/categories', { name: ' ' })).body.errors).toEqual({ name: '此字段为必填项' })
    expect((await remove(`/categories/${body.data.id}`)).status).toBe(200)
    expect((await remove(`/categories/${body.data.id}`)).status).toBe(404)
  })

  test('is not deleted from under what depends on it, and says what does', async () => {
    expect((await remove(`/categories/${shop.categoryId}`)).body).toMatchObject({
      code: 'IN_USE',
      message: '仍有服务器分组使用此项，无法删除',
    })
    expect((await remove(`/groups/${shop.groupId}`)).body.message).toBe('仍有价格组使用此项，无法删除')
    await lin.post('/orders', shop.order)
    expect((await remove(`/price-groups/${shop.priceGroupId}`)).body.message).toBe('仍有订单使用此项，无法删除')
  })

  test('edited by two operators: the later save is 409 and told what changed', async () => {
    const save = (change: object) =>
      admin.put(`/categories/${shop.categoryId}`, { name: '云服务器', sortOrder: 0, version: 1, ...change })
    expect((await save({ name: '云主机' })).status).toBe(200)
    const late = await save({ sortOrder: 5 })
    expect([late.status, late.body.code, late.body.errors]).toEqual([
      409,
      'CONFLICT',
      { name: '已被修改为：云主机', sortOrder: '已被修改为：0' },
    ])
  })

  test('prices a group: six prices above zero, discounts that begin tomorrow at the earliest, base prices never overwritten', async () => {
    const prices = {
      hourlyPrice: 1,
      dailyPrice: 2,
      monthlyPrice: 30,
      quarterlyPrice: 80,
      semiAnnualPrice: 150,
      annualPrice: 280,
    }
    const group = { name: '新套餐', serverGroupId: shop.groupId, ...prices }
    expect((await admin.post('/price-groups', { ...group, annualPrice: 0 })).body.errors).toEqual({
      annualPrice: '价格必须大于0',
    })
    const bad = {
      ...group,
      hasDiscount: true,
      discountPercentage: 10,
      discountStartTime: day(0),
      discountEndTime: day(3),
    }
    expect((await admin.post('/price-groups', bad)).body.errors).toEqual({ discountStartTime: '开始日期必须晚于今天' })
    const { id } = (await admin.post('/price-groups', { ...bad, discountStartTime: day(1) })).body.data
    expect((await admin.get('/price-groups/check-name?name=' + encodeURIComponent('新套餐'))).body).toMatchObject({
      success: true,
      exists: true,
      data: { exists: true },
    })
    // Its start lies in the past now.
    app.advance(2 * 86_400_000)
    const stored = (await admin.get(`/price-groups/${id}`)).body.data
    expect(stored.discountActive).toBe(true)
    const again = {
      ...bad,
      discountStartTime: stored.discountStartTime,
      discountEndTime: stored.discountEndTime,
      description: '改',
    }
    expect((await admin.put(`/price-groups/${id}`, again)).status).toBe(200)
    expect((await admin.post(`/price-groups/${id}/restore-original-prices`)).body.data).toMatchObject({
      hasDiscount: false,
      discountPercentage: null,
      monthlyPrice: 30,
    })
    expect((await admin.post(`/price-groups/${id}/apply-discount`, { discountPercentage: 120 })).status).toBe(400)
    expect(
      (await admin.post(`/price-groups/${id}/apply-discount`, { discountPercentage: 25 })).body.data,
    ).toMatchObject({ hasDiscount: true, monthlyPrice: 30, discountActive: true })
  })
})

describe('the audit log', () => {
  test('says who changed what, from what to what, and from which address', async () => {
    await admin.put(`/groups/${shop.groupId}`, { categoryId: shop.categoryId, name: '香港二区', placement: 'pack' })
    expect((await admin.get('/audit?action=group')).body.data.content).toMatchObject([
      {
        action: 'group.update',
        actorName: 'boss',
        address: '127.0.0.1',
        details: { before: { name: '香港', placement: 'spread' }, after: { name: '香港二区', placement: 'pack' } },
      },
    ])
    const [entry] = (await admin.get('/audit?action=group')).body.data.content
    expect(Object.keys(entry.details.after).toSorted()).toEqual(['name', 'placement'])
  })

  test('keeps an order of the program itself without an address, and a long text short', async () => {
    const page = 'x'.repeat(20_000)
    const group = (await admin.get(`/price-groups/${shop.priceGroupId}`)).body.data
    expect(
      (await admin.put(`/price-groups/${shop.priceGroupId}`, { ...group, annualPrice: 280, salesPageHtml: page }))
        .status,
    ).toBe(200)
    const [entry] = (await admin.get('/audit?action=price-group')).body.data.content
    expect(entry.details.after.sales_page_html.length).toBeLessThan(400)
    const host = await addHost(app, shop)
    const { body } = await lin.post('/orders', shop.order)
    await lin.post(`/orders/${body.data.id}/pay`)
    await hostAgent(app, host.token).serve()
    expect((await admin.get('/audit?action=order.active')).body.data.content).toMatchObject([
      { actorKind: 'agent', address: null },
    ])
  })
})

describe('a user', () => {
  test('gets a signed adjustment with its reason, never below zero', async () => {
    const adjust = (amount: number) =>
      admin.put(`/wallet/balance?amount=${amount}`, { userId: lin.user.id, reason: '补偿' })
    expect((await adjust(20.5)).body.data.balance).toBe(120.5)
    expect((await adjust(-200)).status).toBe(402)
    expect(await lin.balance()).toBe(120.5)
    expect((await admin.get('/audit?action=wallet')).body.data.content).toMatchObject([
      {
        action: 'wallet.adjust',
        actorName: 'boss',
        details: { before: { balanceFen: 10_000 }, after: { balanceFen: 12_050 }, amountFen: 2050, reason: '补偿' },
      },
    ])
    expect((await lin.put('/wallet/balance?amount=1')).status).toBe(403)
  })

  test('suspended loses every session at once, and comes back', async () => {
    const set = (status: string) => admin.put(`/users/${lin.user.id}/status`, { status, reason: '违规' })
    expect((await set('suspended')).status).toBe(200)
    expect((await lin.get('/auth/profile')).status).toBe(401)
    expect((await admin.get('/users?search=lin')).body.data.content).toMatchObject([
      { username: 'lin', status: 'suspended', balance: 100 },
    ])
    expect((await set('active')).status).toBe(200)
    expect((await admin.put(`/users/${admin.user.id}/status`, { status: 'suspended', reason: 'x' })).status).toBe(409)
  })
})
