import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dialog, notices } from '../testing/act'
import { consoleAddress, consoleReads } from '../testing/customers-acts'
import { drawn, main, open } from '../testing/screen'
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

test('over a sheet on a phone the newest alone is shown, and its heading stays in sight', async () => {
  await open(`/orders?orderId=${order().id}`, {
    'orders.page': { data: pageOf(row()) },
    'orders.get': { data: order() },
  })
  // No higher than the sheet would be.
  await page.viewport(390, 600)
  await expect.element(dialog.getByText(order().orderNumber)).toBeVisible()
  for (const said of ['请先登录后再购买', '订单创建成功']) toast(said, 'success', minute)
  await expect.element(notices.getByText('订单创建成功')).toBeVisible()
  await expect.element(notices.getByText('请先登录后再购买')).not.toBeVisible()
  await drawn()
  const heading = dialog.getByRole('heading', { level: 2 }).element()
  const { left, top, height } = heading.getBoundingClientRect()
  expect(heading.contains(document.elementFromPoint(left + 4, top + height / 2))).toBe(true)
})

test.each([390, 1440])('three of them cover no act of a console’s head or bar at %d px', async (width) => {
  await open(consoleAddress, consoleReads)
  await page.viewport(width, 900)
  for (const said of ['已复制', '已保存', '已提交']) toast(said, 'success', minute)
  await expect.element(notices.getByText('已提交')).toBeVisible()
  const acts = ['返回', '刷新数据', '电源', '远程连接', '连接'].map((name) =>
    main().getByRole(/返回/.test(name) ? 'link' : 'button', { name, exact: true }),
  )
  for (const act of acts) await expect.element(act.first()).toBeVisible()
  await drawn()
  const covered = acts.filter((act) => {
    const { x, y, width: w, height } = act.first().element().getBoundingClientRect()
    return !act
      .first()
      .element()
      .contains(document.elementFromPoint(x + w / 2, y + height / 2))
  })
  expect(covered).toEqual([])
})

test('one that comes while a phone’s keyboard is open is above it', async () => {
  await open('/orders', { 'orders.page': { data: pageOf(row()) } })
  await page.viewport(390, 900)
  const top = () => notices.element().getBoundingClientRect().top
  toast('已复制', 'success', minute)
  await expect.element(notices.getByText('已复制')).toBeVisible()
  expect(top()).toBeGreaterThan(450)
  await page.getByRole('searchbox', { name: '搜索' }).click()
  await expect.poll(top).toBeLessThan(100)
})
