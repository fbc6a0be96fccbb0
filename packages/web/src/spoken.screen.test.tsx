/** What is said to whoever does not see the screen. */
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { consoleAddress, consoleReads } from './testing/customers-acts'
import { main, open } from './testing/screen'
import type { Script } from './testing/script'
import { inDays, pageOf, payment, row } from './testing/things'

const summary = { data: { paid: 100, pending: 0, failed: 0, count: 25 } }
const payments = (total: number): Script => ({
  'payments.list': {
    data: { ...pageOf(...(total > 0 ? [payment] : [])), totalElements: total, totalPages: Math.ceil(total / 10) },
  },
  'payments.summary': summary,
})

/** Which is read out as a description after the name. */
const titleBeside = (one: Element) => one.getAttribute('aria-label') === one.getAttribute('title')

describe('another page', () => {
  test('is said by its name, which the focus is led to once it is known', async () => {
    await open('/orders', { 'orders.page': { data: pageOf(row()) }, 'orders.list': { data: [] } })
    await expect.element(page.getByRole('main', { name: '订单' })).toBeVisible()
    const heard: (string | null)[] = []
    main()
      .element()
      .addEventListener('focus', () => heard.push(main().element().getAttribute('aria-label')))
    page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '控制台' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('main', { name: '控制台' })).toHaveFocus()
    expect(heard.at(-1)).toBe('控制台')
    expect(heard).not.toContain('订单')
  })

  test('is not said again where its title tells how far something is', async () => {
    await open(consoleAddress, consoleReads)
    await expect.element(page.getByRole('main', { name: '服务器管理' })).toBeVisible()
    await expect.poll(() => document.title).toContain(row().serverName)
    await expect.element(page.getByRole('main', { name: '服务器管理' })).toBeVisible()
  })
})

test('a button of a picture is said once: what the mouse is told is its name', async () => {
  await open('/payment/history', payments(25))
  await expect.element(main().getByRole('button', { name: '下一页' })).toBeVisible()
  expect([...document.querySelectorAll('[title]')].filter(titleBeside)).toEqual([])
})

test('what only decorates is not said: no mark before a line', async () => {
  await open(`${consoleAddress}?part=disk`, { ...consoleReads, 'snapshots.list': { data: [] } })
  await expect.element(main().getByText('还没有快照')).toBeVisible()
  const marks = [...main().element().querySelectorAll('*')].map((one) => getComputedStyle(one, '::before').content)
  expect(marks.filter((mark) => /^"[^"]+"$/.test(mark))).toEqual([])
})

test('a chart’s figures say of which chart they are', async () => {
  const figures = { cpuUsage: 10, memoryUsage: 50, diskUsage: 30, rxRate: 1000, txRate: 500 }
  const points = [3, 2, 1].map((minutes) => ({ at: inDays(-minutes / 1440), ...figures }))
  const measured: Script = { 'console.metrics': { data: { range: 'hour', stepSeconds: 60, points } } }
  await open(`${consoleAddress}?part=monitoring`, { ...consoleReads, ...measured })
  await expect.element(main().getByRole('slider', { name: '资源使用率的时间点' })).toBeInTheDocument()
  const names = [...main().element().querySelectorAll('summary')].map((one) => one.getAttribute('aria-label'))
  expect(names).toEqual(['查看数据：资源使用率', '查看数据：网络流量'])
})
