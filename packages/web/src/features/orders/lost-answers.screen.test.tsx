import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { answer, callsOf, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { inDays, order, pageOf, row } from '../../testing/things'

const unpaid = {
  status: 'PENDING',
  serverId: null,
  server: null,
  paidAt: null,
  activatedAt: null,
  expiresAt: null,
} as const
const beside: Script = {
  'orders.page': { data: pageOf(row(unpaid)) },
  'orders.get': { data: order(unpaid) },
  'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } },
}
const paying = () => page.getByRole('dialog', { name: '支付订单' })

async function startPaying(): Promise<void> {
  await open('/orders', { ...beside, 'orders.pay': 'no answer' })
  await page.getByRole('button', { name: '支付' }).first().click()
  await paying().getByRole('button', { name: '支付', exact: true }).click()
  await expect.poll(() => callsOf('orders.pay')).toHaveLength(1)
}

test('a payment whose dialog was closed before its answer was lost is not sent again', async () => {
  await startPaying()
  await paying().getByRole('button', { name: '稍后支付' }).click()
  await expect.element(paying()).not.toBeInTheDocument()
  const logged = vi.spyOn(console, 'warn')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await answer({ ...beside, 'orders.pay': 'lost' })
  await expect.poll(() => logged.mock.calls.length).toBeGreaterThan(0)
  // As long as a payment still wanted would be asked for.
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await callsOf('orders.pay')).toEqual([])
})

test('a payment whose answer was lost goes out again under the same key, until it is answered', async () => {
  await startPaying()
  const [first] = await callsOf('orders.pay')
  await answer({ ...beside, 'orders.pay': ['lost', 'lost', 'no answer'] })
  await expect.element(paying().getByText('网络连接错误，正在确认结果…')).toBeVisible()
  await expect.poll(() => callsOf('orders.pay')).toEqual([first, first])
  await answer({ ...beside, 'orders.pay': { refused: 'INSUFFICIENT_BALANCE' } })
  await expect.element(paying().getByText('余额不足，请先充值').first()).toBeVisible()
  await expect.element(paying().getByText('正在确认结果')).not.toBeInTheDocument()
})
