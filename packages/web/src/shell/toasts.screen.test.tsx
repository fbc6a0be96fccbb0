import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dialog, notices } from '../testing/act'
import { open } from '../testing/screen'
import { order, pageOf, row } from '../testing/things'
import { toast } from '../ui/toast'

const minute = { timeoutMs: 60_000 }

test('a notification is heard by itself, without those that still stand there', async () => {
  await open('/orders', { 'orders.page': { data: pageOf(row()) } })
  for (const said of ['已复制', '已保存']) toast(said, 'success', minute)
  await expect.element(notices.getByText('已保存')).toBeVisible()
  // Politely; of itself it is atomic, too (WAI-ARIA, status).
  const live = notices.getByText('已保存').element().closest('[role=status]')
  expect(live?.getAttribute('aria-atomic')).toBe('false')
})

test('a notification over a dialog is heard and can be closed, and the dialog stays', async () => {
  await open(`/orders?orderId=${order().id}`, {
    'orders.page': { data: pageOf(row()) },
    'orders.get': { data: order() },
  })
  await expect.element(dialog.getByText(order().orderNumber)).toBeVisible()
  toast('已复制', 'success', minute)
  await expect.element(notices.getByText('已复制')).toBeVisible()
  expect(notices.element().closest('[inert], [aria-hidden]')).toBeNull()
  await notices.getByRole('button', { name: '关闭通知' }).last().click()
  await expect.element(notices.getByText('已复制')).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
})

test('a notification that is closed by the keyboard gives the focus back', async () => {
  await open('/orders', { 'orders.page': { data: pageOf(row()) } })
  const from = page.getByRole('searchbox', { name: '搜索' })
  await from.click()
  toast('已复制', 'success', minute)
  const close = notices.getByRole('button', { name: '关闭通知' }).last()
  await expect.element(close).toBeVisible()
  close.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(notices.getByText('已复制')).not.toBeInTheDocument()
  await expect.element(from).toHaveFocus()
})
