import { afterEach, beforeEach, expect, test } from 'vitest'
import { person } from '../testing/people.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

test('labels take the place of those before, each once, are told with the order and audited', async () => {
  const { lin, buyActive, order, app } = sale
  const id = await buyActive()
  expect((await order(id)).labels).toEqual([])
  await lin.put(`/orders/${id}/labels`, { labels: ['旧'] })
  const { status, body } = await lin.put(`/orders/${id}/labels`, { labels: [' 生产 ', '网站', '生产'] })
  expect([status, body.data.labels]).toEqual([200, ['生产', '网站']])
  expect((await lin.get('/orders')).body.data[0].labels).toEqual(['生产', '网站'])
  const audited = await app.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'order.labels')
    .orderBy('id')
    .execute()
  expect(audited.map(({ details }) => details)).toEqual([{ labels: ['旧'] }, { labels: ['生产', '网站'] }])
})

test('at most five of at most twelve characters, and none that is empty', async () => {
  const { lin, buyActive, order } = sale
  const id = await buyActive()
  const messageOf = async (labels: string[]) => {
    const { status, body } = await lin.put(`/orders/${id}/labels`, { labels })
    return [status, body.message]
  }
  expect(await messageOf(['一', '二', '三', '四', '五', '六'])).toEqual([400, '最多 5 个标签'])
  expect(await messageOf(['一'.repeat(13)])).toEqual([400, '最多 12 个字符'])
  expect((await messageOf([' ']))[0]).toBe(400)
  expect((await order(id)).labels).toEqual([])
})

test('nobody labels what is not theirs', async () => {
  const { buyActive, app, order } = sale
  const id = await buyActive()
  const chen = await person(app, 'chen')
  expect((await chen.put(`/orders/${id}/labels`, { labels: ['我的'] })).status).toBe(404)
  expect((await order(id)).labels).toEqual([])
})
