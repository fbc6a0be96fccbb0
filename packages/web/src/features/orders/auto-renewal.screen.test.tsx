import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { notices } from '../../testing/act'
import { answer, callsOf, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { order, pageOf, row } from '../../testing/things'

const orders = (changes: Parameters<typeof row>[0] = {}): Script => ({
  'orders.page': { data: pageOf(row(changes)) },
})

test('of several switches in quick succession the last one stands: each goes out once the one before is answered, and the switch never jumps back', async () => {
  await open('/orders', { ...orders(), 'orders.setAutoRenewal': 'no answer' })
  const renewal = page.getByRole('switch', { name: `自动续费 ${row().orderNumber}` })
  for (const checked of [false, true, false]) {
    await renewal.click({ force: true })
    await expect.poll(() => renewal.element().ariaChecked).toBe(String(checked))
  }
  // Sent side by side, the network says which is the last.
  await expect.poll(() => callsOf('orders.setAutoRenewal')).toEqual([{ id: row().id, autoRenewal: false }])
  await answer({ ...orders({ autoRenewal: false }), 'orders.setAutoRenewal': { data: order({ autoRenewal: false }) } })
  await expect.element(notices.getByText('已关闭自动续费')).toBeVisible()
  await expect.element(renewal).not.toBeChecked()
  expect(await callsOf('orders.setAutoRenewal')).toEqual([])
})

test('a switch back before the first was answered goes out after it', async () => {
  await open('/orders', { ...orders(), 'orders.setAutoRenewal': 'no answer' })
  const renewal = page.getByRole('switch', { name: `自动续费 ${row().orderNumber}` })
  await renewal.click({ force: true })
  await renewal.click({ force: true })
  await expect.poll(() => callsOf('orders.setAutoRenewal')).toEqual([{ id: row().id, autoRenewal: false }])
  await answer({ ...orders(), 'orders.setAutoRenewal': { data: order() } })
  await expect.element(notices.getByText('已开启自动续费')).toBeVisible()
  expect(await callsOf('orders.setAutoRenewal')).toEqual([{ id: row().id, autoRenewal: true }])
  await expect.element(renewal).toBeChecked()
})
