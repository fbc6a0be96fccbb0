import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { consoleReads } from '../testing/customers-acts'
import { host, hostReads, userReads } from '../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, open } from '../testing/screen'
import type { RouterOutputs, Script } from '../testing/script'
import { id, inDays, pageOf, row } from '../testing/things'

const running = row({ serverName: '东京计算型-AAAAAA', orderNumber: 'V261027AAAAAAAAAA', ipAddress: '10.66.0.9' })
const unpaid = row({
  id: id(12_001),
  serverName: '上海标准型-BBBBBB',
  orderNumber: 'V261027BBBBBBBBBB',
  status: 'PENDING',
  server: null,
  serverId: null,
})
const screen: Script = {
  'orders.list': { data: [running, unpaid] },
  'wallet.page': { data: pageOf() },
  'wallet.summary': { data: { income: 0, expense: 0, count: 0, pending: 0 } },
  'wallet.get': { data: { balance: 0, updatedAt: inDays(0) } },
  'payments.list': { data: pageOf() },
}

const inShop: RouterOutputs['operations']['search'] = {
  users: [{ id: id(2), username: 'demo', email: 'demo@example.com' }],
  hosts: [{ id: host.id, name: host.name, status: 'READY' }],
  servers: [{ id: id(12), name: '大阪-1', orderId: id(11), ownerName: 'demo' }],
  addresses: [{ address: '10.66.0.7', ports: null, orderId: id(11), serverName: '大阪-1' }],
  orders: [{ id: id(11), number: 'V261027CCCCCCCCCC', status: 'ACTIVE', ownerName: 'demo' }],
  payments: [
    { outTradeNo: 'RPAYMENT0000000000', tradeNo: 'GATEWAY77', money: 30, status: 'PENDING', ownerName: 'demo' },
  ],
}

const shop: Script = { ...screen, ...consoleReads, ...userReads, ...hostReads, 'operations.search': { data: inShop } }

const box = page.getByPlaceholder('搜索服务器、订单、页面或操作')
const results = page.getByRole('menu', { name: '搜索结果' })
const found = () =>
  results
    .getByRole('menuitem')
    .elements()
    .map(({ textContent }) => textContent)

async function openPalette(as: 'visitor' | 'customer' | 'admin' = 'customer'): Promise<void> {
  await open(as === 'visitor' ? '/auth' : '/transactions', as === 'visitor' ? {} : screen, as)
  await page.getByRole('button', { name: '快速跳转' }).click()
  await expect.element(box).toHaveFocus()
}

describe('the palette', () => {
  test('opens with the focus in its box, and goes by Escape', async () => {
    await openPalette()
    await expect.poll(() => found().length).toBeGreaterThan(5)
    await expectSoundEverywhere()
    await userEvent.keyboard('{Escape}')
    await expect.element(box).not.toBeInTheDocument()
  })

  test('finds a server by a part of its name and by its address, and never one that is not there yet', async () => {
    await openPalette()
    for (const typed of ['计算型', '10.66.0.9']) {
      await box.fill(typed)
      await expect.poll(() => found()[0]).toBe('东京计算型-AAAAAA10.66.0.9')
    }
    await box.fill('上海标准型')
    await expect.poll(found).toEqual(['V261027BBBBBBBBBB上海标准型-BBBBBB'])
  })

  test('finds whatever the case, and without what was typed around it', async () => {
    await openPalette()
    await box.fill('  v261027a ')
    await expect.poll(found).toEqual(['V261027AAAAAAAAAA东京计算型-AAAAAA'])
  })

  test('says that nothing was found', async () => {
    await openPalette()
    await box.fill('没有这样的东西')
    await expect.element(page.getByText('没有匹配的结果')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('leads to what the arrows have come to', async () => {
    await openPalette()
    await box.fill('充值')
    await expect.poll(found).toEqual(['充值'])
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.poll(() => location.pathname).toBe('/recharge')
    await expect.element(box).not.toBeInTheDocument()
  })

  test('neither opens nor goes by the key that ends a composition, also as Safari tells of it', async () => {
    await openPalette()
    await box.fill('充值')
    await expect.poll(found).toEqual(['充值'])
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(results.getByRole('menuitem')).toHaveAttribute('data-focused')
    for (const key of ['Enter', 'Escape'])
      for (const type of ['keydown', 'keyup'])
        box
          .element()
          .dispatchEvent(new KeyboardEvent(type, { key, code: key, keyCode: 229, bubbles: true, cancelable: true }))
    await box.fill('交易')
    await expect.poll(found).toEqual(['交易记录'])
    expect(location.pathname).toBe('/transactions')
  })

  test('turns the mode, and offers to turn it back', async () => {
    await openPalette()
    await box.fill('切换')
    await expect.poll(() => found().length).toBe(1)
    const [before] = found()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.poll(() => localStorage.getItem('theme-mode')).not.toBe('auto')
    await page.getByRole('button', { name: '快速跳转' }).click()
    await box.fill('切换')
    await expect.poll(() => found().length).toBe(1)
    expect(found()).not.toEqual([before])
  })

  test('finds for an operator what the shop has: customers, hosts, machines, addresses, orders, payments, in one read', async () => {
    await openPalette('admin')
    await answer(shop)
    await box.fill('demo')
    await expect.poll(() => found()[0]).toBe('demodemo@example.com')
    await expect.poll(() => callsOf('operations.search')).toEqual([{ text: 'demo' }])
    await expectSoundEverywhere()
    await results.getByRole('menuitem').first().click()
    await expect.poll(() => location.pathname).toBe(`/users/${id(2)}`)
  })

  test.each([
    ['10.66.0.7', '10.66.0.7', `/server-manage/${id(11)}`],
    ['V261027CC', 'V261027CCCCCCCCCC', '/all-orders?q=V261027CCCCCCCCCC'],
    ['GATEWAY77', 'RPAYMENT0000000000', '/payments?q=RPAYMENT0000000000'],
    ['大阪', '大阪-1', `/server-manage/${id(11)}`],
    ['hk-1', 'hk-1', `/hosts/${host.id}`],
  ])('opens for an operator by %s what is called %s', async (typed, name, address) => {
    await openPalette('admin')
    await answer(shop)
    await box.fill(typed)
    await expect.poll(() => found()[0]).toMatch(name)
    await results.getByRole('menuitem').first().click()
    await expect.poll(() => location.pathname + location.search).toBe(address)
  })

  test('shows an operator who has a port of a shared address, however it was typed', async () => {
    await openPalette('admin')
    const ports = { outside: '203.0.113.7', firstPort: 20_020, ports: 20 }
    const nothing = { users: [], hosts: [], servers: [], orders: [], payments: [] }
    const address = { address: '10.66.0.2', ports, orderId: id(11), serverName: '大阪-1' }
    await answer({ ...shop, 'operations.search': { data: { ...nothing, addresses: [address] } } })
    for (const typed of ['203.0.113.7:20022', ' 203.0.113.7 ： 20022']) {
      await box.fill(typed)
      await expect.poll(found).toEqual(['203.0.113.7:20020–2003910.66.0.2 · 大阪-1', '203.0.113.7:20022使用记录'])
    }
    await expectSoundEverywhere()
    await results.getByRole('menuitem').first().click()
    await expect.poll(() => location.pathname).toBe(`/server-manage/${id(11)}`)
  })

  test('leads an operator to who had an address, though nobody has it now', async () => {
    await openPalette('admin')
    const nothing = { users: [], hosts: [], servers: [], orders: [], payments: [], addresses: [] }
    await answer({ ...shop, 'operations.search': { data: nothing }, 'pools.history': { data: pageOf() } })
    await box.fill('203.0.113.7：20022')
    await expect.poll(found).toEqual(['203.0.113.7:20022使用记录'])
    await results.getByRole('menuitem').first().click()
    await expect.poll(() => location.pathname + location.search).toBe('/ip-pools?history=203.0.113.7%3A20022')
  })

  test('asks for a customer nothing of the shop, and shows none of it', async () => {
    await openPalette()
    await answer(shop)
    await box.fill('demo')
    await expect.element(page.getByText('没有匹配的结果')).toBeVisible()
    expect(await callsOf('operations.search')).toEqual([])
  })

  test('offers a visitor neither orders nor the way out', async () => {
    await openPalette('visitor')
    await expect.poll(() => found().length).toBeGreaterThan(2)
    expect(found().join()).not.toMatch(/退出登录|订单|控制台/)
  })
})
