import { expect, test } from 'vitest'
import { choose, question } from '../../testing/act'
import { open } from '../../testing/screen'
import { order, pageOf, row } from '../../testing/things'

const unpaid = { status: 'PENDING', serverId: null, server: null, paidAt: null, expiresAt: null, amount: 29 } as const

test('cancelling an order that was paid since the list was read says what comes back', async () => {
  await open('/orders', {
    'orders.page': { data: pageOf(row(unpaid)) },
    'orders.get': { data: order({ ...unpaid, status: 'PAID' }) },
  })
  await choose(`订单 ${row().orderNumber}`, '取消订单')
  await expect.element(question).toMatchTextContent('¥29.00')
})
