import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { enrolByHand } from '../setup/agent.js'
import { openBooks } from '../setup/books.js'
import { demoAdmin, enterAs, newCustomer, product } from './people.js'
import { expectSettled, expectSound, visit, whileFailing, whileUnanswered, withoutNotifications } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(async ({ context }) => enterAs(context, await demoAdmin()))

/** Still there only while the page was not loaded anew. */
const stay = (page: Page) => page.evaluate(() => document.body.setAttribute('data-stayed', ''))
const stayed = (page: Page) => expect(page.locator('body[data-stayed]')).toHaveCount(1)
const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })
const orders = (page: Page, status: string) => card(page, '订单状态').getByRole('listitem').filter({ hasText: status })

test('an order that somebody places and cancels appears on the list and on the overview without a reload', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await page.goto(`/all-orders?q=${customer.username}`)
  await expect(page.getByText('没有符合条件的订单')).toBeVisible()
  await stay(page)
  const overview = await context.newPage()
  await overview.goto('/overview')
  await expect(orders(overview, '待付款')).toContainText(/\d/)
  const unpaid = Number((await orders(overview, '待付款').textContent())?.replace(/\D/g, ''))
  await stay(overview)

  const order = await customer.placeOrder()
  await page.bringToFront()
  const row = page.getByRole('row').filter({ hasText: order.orderNumber })
  await expect(row).toContainText('待付款')
  await overview.bringToFront()
  await expect(orders(overview, '待付款')).toContainText(String(unpaid + 1))

  await customer.call('PUT', `/orders/${order.id}/cancel`)
  await expect(orders(overview, '待付款')).toContainText(String(unpaid))
  await page.bringToFront()
  await expect(row).toContainText('已取消')
  await stayed(page)
  await stayed(overview)
})

test('a tab that came while the database was away listens once it is back', async ({ page }) => {
  const admin = await demoAdmin()
  const name = `分类${randomBytes(3).toString('hex')}`
  let refused = 0
  await page.routeWebSocket(/\/trpc/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const id = refused === 0 ? /"id":(\d+),.*"method":"subscription"/.exec(String(message))?.[1] : undefined
      if (id === undefined) return server.send(message)
      refused++
      const data = { code: 'UNAVAILABLE', httpStatus: 503 }
      socket.send(JSON.stringify({ id: Number(id), error: { message: 'away', code: -32603, data } }))
    })
  })
  await page.goto('/categories')
  await expectSettled(page)
  await expect.poll(() => refused).toBe(1)
  await stay(page)
  const made = await admin.call<{ id: string }>('POST', '/categories', { name, sortOrder: 900 })
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
  await admin.call('DELETE', `/categories/${made.body.data.id}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0)
  await stayed(page)
})

test('what another operator changes appears: a category, a balance with its line in the audit log', async ({
  page,
  context,
}) => {
  const admin = await demoAdmin()
  const customer = await newCustomer()
  const name = `分类${randomBytes(3).toString('hex')}`
  await page.goto('/categories')
  await expectSettled(page)
  await stay(page)
  const audit = await context.newPage()
  const id = String((await customer.call('GET', '/auth/profile')).body['id'])
  await audit.goto(`/audit?subject=${id}`)
  await expectSettled(audit)
  await stay(audit)

  const made = await admin.call<{ id: string }>('POST', '/categories', { name, sortOrder: 900 })
  await page.bringToFront()
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
  await admin.call('DELETE', `/categories/${made.body.data.id}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0)
  await admin.call('PUT', `/wallet/balance?amount=12&userId=${id}&reason=live`)
  await audit.bringToFront()
  await expect(audit.getByRole('row').filter({ hasText: '调整余额' })).toBeVisible()
  await stayed(page)
  await stayed(audit)
})

test('a host that tells what it found is seen on the hosts and on the findings', async ({ page, context }) => {
  const name = `host-${randomBytes(3).toString('hex')}`
  await page.goto(`/hosts?q=${name}`)
  await expect(page.getByText('没有符合条件的宿主机')).toBeVisible()
  await stay(page)
  const findings = await context.newPage()
  await findings.goto('/findings')
  await expectSettled(findings)
  await stay(findings)

  const host = await enrolByHand(product, await demoAdmin(), name)
  await page.bringToFront()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('可用')
  await host.tell({ volumes: [{ name: 'left-behind.qcow2', bytes: 1 }] })
  await expect(row).toContainText('在线')
  await findings.bringToFront()
  await expect(findings.getByRole('row').filter({ hasText: name })).toBeVisible()
  await stayed(page)
  await stayed(findings)
})

test('a group says on its screen which of its hosts cannot limit the bandwidth that it sells', async ({ page }) => {
  const admin = await demoAdmin()
  const name = `host-${randomBytes(3).toString('hex')}`
  const [group] = (await admin.call<{ id: string; name: string }[]>('GET', '/groups')).body.data
  const host = await enrolByHand(product, admin, name, { groupIds: [group!.id], poolIds: [] })
  const capacity = { hypervisor: 'virsh', hypervisorVersion: '9', cpuCores: 8, memoryMb: 16_000, diskGb: 500 } as const
  await host.tell({ capacity: { ...capacity, limitsBandwidth: false } })
  await page.goto('/groups')
  const said = page.getByRole('row').filter({ hasText: group!.name }).getByText(`宿主机 ${name} 无法限制带宽`)
  await expect(said).toBeVisible()
  await expectSound(page, 'groups of which one has a host without limits')
  await page.goto(`/hosts?q=${name}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('带宽不受限')

  await host.tell({ capacity: { ...capacity, limitsBandwidth: true } })
  await page.goto('/groups')
  await expect(page.getByRole('row').filter({ hasText: group!.name }).first()).toBeVisible()
  await expect(said).toHaveCount(0)
  await admin.call('PUT', `/hosts/${host.id}`, { name, groupIds: [], poolIds: [] })
})

test('a host’s load is shown over an hour, a day, a week and a month, and as figures', async ({ page }) => {
  await page.goto('/hosts')
  await page.getByRole('link', { name: '查看 demo-host-1 的负载' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'demo-host-1' })).toBeVisible()
  const load = card(page, '负载')
  for (const range of ['1 小时', '24 小时', '7 天', '30 天']) {
    await load.getByText(range, { exact: true }).click()
    await expect(load.getByRole('radio', { name: range })).toBeChecked()
    await expect(load.getByText('使用率', { exact: true })).toBeVisible()
    await load.getByText('查看数据').first().click()
    await expect(load.getByRole('cell', { name: /^\d+%$/ }).first()).toBeVisible()
    await load.getByText('查看数据').first().click()
  }
  // By the keyboard: an hour ago, a step on, and back to the newest.
  await load.getByText('1 小时', { exact: true }).click()
  const cursor = load.getByRole('slider', { name: '使用率的时间点' })
  await cursor.focus()
  await page.keyboard.press('Home')
  await expect(cursor).toHaveValue('0')
  const first = await cursor.getAttribute('aria-valuetext')
  expect(first).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}，CPU \d+%，内存 \d+%，磁盘 \d+%$/)
  await page.keyboard.press('ArrowRight')
  await expect(cursor).toHaveValue('1')
  await expect(load.locator('time').first()).not.toContainText(first!.slice(0, 16))
  await expectSound(page, 'the load of a host')
})

test('a host that has told nothing yet has no charts, and says when there will be some', async ({ page }) => {
  const name = `host-${randomBytes(3).toString('hex')}`
  await enrolByHand(product, await demoAdmin(), name)
  await page.goto(`/hosts?q=${name}`)
  await page.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '查看负载' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('这段时间内没有足够的数据')).toBeVisible()
  await expect(page.getByText('接入不满 30 天，还不能估计。')).toBeVisible()
})

test('the overview keeps its places while it is read, names what failed, and reads it again', async ({ page }) => {
  await withoutNotifications(page)
  await page.goto('/audit')
  await expectSettled(page)
  await whileUnanswered(page, async () => {
    await visit(page, '/overview')
    await expect(page.getByRole('heading', { level: 2, name: '收支', exact: true })).toBeVisible()
    await expect(card(page, '订单状态').getByRole('listitem')).toHaveCount(0)
  })
  await expect(card(page, '订单状态').getByRole('listitem')).toHaveCount(7)

  await whileFailing(page, /operations\.(overview|latency)|hosts\.list/, async () => {
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('加载概览失败')
    await expectSound(page, 'a failed overview')
  })
  await page.getByRole('button', { name: '重试' }).click()
  await expect(card(page, '订单状态').getByRole('listitem')).toHaveCount(7)

  await whileFailing(page, /operations\.overview/, async () => {
    await page.getByRole('button', { name: '刷新' }).click()
    await expect(page.getByText(/刷新概览失败：.*的数据。/)).toBeVisible()
    await expect(card(page, '订单状态').getByRole('listitem')).toHaveCount(7)
  })
})

test('a host that never connected is awaited, not silent, on the overview and beside an image', async ({ page }) => {
  const admin = await demoAdmin()
  // The overview names the first seven: before those that other tests left.
  const name = `a-host-${randomBytes(3).toString('hex')}`
  await admin.call('POST', '/hosts', { name, groupIds: [], poolIds: [] })
  // Other tests' hosts fall silent meanwhile: those count.
  const silentHosts = async () => {
    type Hosts = { content: { lastSeenAt: string | null; alive: boolean }[] }
    const { content } = (await admin.call<Hosts>('GET', '/hosts?size=100')).body.data
    return content.filter((host) => host.lastSeenAt !== null && !host.alive).length
  }
  const silent = card(page, '待处理').getByRole('listitem').filter({ hasText: '失联的宿主机' })
  await page.goto('/overview')
  await expect(async () => {
    await page.reload()
    await expect(card(page, '宿主机与代理')).toContainText(name)
    await expect(silent).toHaveText(`失联的宿主机${await silentHosts()}`, { timeout: 5_000 })
  }).toPass({ timeout: 120_000 })
  await page.goto('/images')
  await page
    .getByRole('button', { name: /查看 .* 在各宿主机上的情况$/ })
    .first()
    .click()
  const line = page.getByRole('dialog').getByRole('listitem').filter({ hasText: name })
  await expect(line).toContainText('未连接')
  await expect(line).not.toContainText('失联')
})

test('the latency of each door is shown over an hour and a day', async ({ page }) => {
  const books = await openBooks(product)
  // A fresh start has measured nothing yet.
  await books.query(`insert into request_minutes (at, door, up_to_ms, requests)
    select date_trunc('minute', now()) - n * interval '1 minute', door, 20, 10
    from generate_series(2, 31) n, unnest(array['web', 'rest', 'agent']) door on conflict do nothing`)
  await books.end()
  await page.goto('/overview')
  const latency = card(page, '接口延迟')
  for (const door of ['网页', 'REST', '宿主机代理', '全部']) {
    await latency.getByText(door, { exact: true }).click()
    await latency.getByText('24 小时', { exact: true }).click()
    await latency.getByText('查看数据').first().click()
    await expect(latency.getByRole('cell', { name: /ms$/ }).first()).toBeVisible()
    await latency.getByText('查看数据').first().click()
    await latency.getByText('1 小时', { exact: true }).click()
  }
  await expect(latency.getByText('近 2 分钟请求数')).toBeVisible()
})

test('a recharge that hangs is found by the customer’s name within three acts', async ({ page }) => {
  const customer = await newCustomer()
  const { body } = await customer.call('POST', '/payment/create', { money: 66, type: 'alipay' })
  const { outTradeNo } = body as unknown as { outTradeNo: string }
  await page.goto('/overview')
  let acts = 0
  const act = async (done: Promise<unknown>) => {
    acts += 1
    await done
  }
  await act(page.locator('button[aria-haspopup]', { hasText: '商务' }).click())
  await act(page.getByRole('menuitem', { name: '全部支付', exact: true }).click())
  await act(page.getByRole('searchbox', { name: '搜索' }).fill(customer.username))
  const found = page.getByRole('row').filter({ hasText: outTradeNo })
  await expect(found).toContainText('待支付')
  await expect(found).toContainText('¥66.00')
  expect(acts).toBeLessThanOrEqual(3)

  await found.getByRole('button', { name: `查询网关 ${outTradeNo}` }).click()
  await expect(page.getByText('网关尚未收到这笔付款')).toBeVisible()
  await expectSound(page, 'payments of all customers')
})

test('the palette of an operator finds a customer of the shop, and their page is opened from it', async ({ page }) => {
  await page.goto('/overview')
  await expectSettled(page)
  await page.getByRole('button', { name: '快速跳转' }).click()
  await page.getByPlaceholder('搜索服务器、订单、页面或操作').fill('demo')
  await page.getByRole('menuitem', { name: /demo@example\.com/ }).click()
  await expect(page).toHaveURL(/\/users\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'demo' })).toBeVisible()
})
