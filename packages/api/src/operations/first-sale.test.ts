import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../testing/app.js'
import type { Person } from '../testing/people.js'
import { openStaffedShop } from '../testing/sale.js'
import { addHost, type Shop } from '../testing/shop.js'

let app: TestApp
let shop: Shop
let admin: Person
let lin: Person
beforeEach(async () => void ({ app, shop, admin, lin } = await openStaffedShop()))
afterEach(() => app.close())

test('before the first order the overview tells each step that is done, and afterwards nothing of them', async () => {
  const left = async () => {
    const { firstSale } = (await admin.get('/overview')).body.data
    return firstSale?.flatMap(({ step, done }: { step: string; done: boolean }) => (done ? [] : [step])) ?? null
  }
  expect(await left()).toEqual(['addresses', 'host', 'gateway', 'site'])
  await addHost(app, shop)
  expect(await left()).toEqual(['gateway', 'site'])
  await app.db.updateTable('images').set({ is_active: false }).execute()
  await app.db.deleteFrom('host_ip_pools').execute()
  expect(await left()).toEqual(['image', 'host', 'gateway', 'site'])
  await app.db.updateTable('images').set({ is_active: true }).execute()
  expect((await lin.post('/orders', shop.order)).status).toBe(200)
  expect(await left()).toBeNull()
})
