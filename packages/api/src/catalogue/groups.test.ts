import { afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../testing/people.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

test('a group whose servers have all ended is not deleted, and it is said why and what can be done instead', async () => {
  const { app, admin, shop } = sale
  await sale.buyActive()
  const remove = () => call(app, 'DELETE', `/groups/${shop.groupId}`, { token: admin.token })
  expect((await remove()).body).toMatchObject({ code: 'IN_USE', message: expect.stringMatching(/^仍有.+无法删除$/) })
  await app.db.updateTable('servers').set({ released_at: app.deps.now() }).execute()
  const { status, body } = await remove()
  const message = '已结束的 1 台服务器的记录属于此分组，无法删除；不再使用时，可在编辑中关闭“启用”'
  expect([status, body.code, body.message]).toEqual([409, 'IN_USE', message])
  const group = (await admin.get(`/groups/${shop.groupId}`)).body.data
  expect((await admin.put(`/groups/${shop.groupId}`, { ...group, isActive: false })).status).toBe(200)
  const shown: { id: string }[] = (await sale.lin.get('/groups/active')).body.data
  expect(shown.map(({ id }) => id)).not.toContain(shop.groupId)
})
