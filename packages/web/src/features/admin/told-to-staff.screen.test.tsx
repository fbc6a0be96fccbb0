/** What an administrator reads before an act on a customer's order and money is what then becomes of it. */
import { describe, expect, test } from 'vitest'
import { choose, pressOn, question } from '../../testing/act'
import { anyOrder, refund } from '../../testing/operators-things'
import { expectSoundEverywhere, open } from '../../testing/screen'
import { pageOf, row } from '../../testing/things'

describe('before an order is suspended', () => {
  test('staff reads until when its data are kept', async () => {
    await open('/all-orders', { 'orders.all': { data: pageOf(anyOrder()) } }, 'admin')
    await choose(`订单 ${row().orderNumber}`, '暂停')
    await expect.element(question.getByText(/服务器关机，数据保留至到期后 72 小时；客户续费也不能恢复/)).toBeVisible()
    await expectSoundEverywhere()
  })
})

describe('before a refund is decided', () => {
  test.each([
    ['驳回', 'SUSPENDED', /^若因到期而暂停且开启了自动续费，余额足够时会立即续费并恢复。$/],
    ['驳回', 'ACTIVE', /^订单和服务器保持不变。$/],
    ['批准', 'EXPIRED', /退回客户余额。$/],
    ['批准', 'ACTIVE', /；订单取消，服务器和其中的数据被删除，不能恢复。$/],
  ] as const)('%s of an order that is %s says what becomes of it', async (act, orderStatus, words) => {
    await open('/refunds', { 'refunds.list': { data: pageOf({ ...refund, orderStatus }) } }, 'admin')
    await pressOn(`${act} ${refund.orderNumber}`)
    await expect.element(question.getByText(words)).toBeVisible()
  })
})
