import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Script } from '../testing/script'
import { answer, expectSoundEverywhere, open } from '../testing/screen'
import * as things from '../testing/things'

const { order, row, details } = things
const [theOrder, theServer] = [order(), details()]

const everything: Script = {
  'shop.categories': { data: [things.category] },
  'shop.groups': { data: [things.group] },
  'shop.priceGroups': { data: [things.offer()] },
  'shop.osOptions': { data: things.offer().osOptions },
  'orders.quote': { data: things.quoted },
  'orders.list': { data: [row()] },
  'orders.page': { data: things.pageOf(row()) },
  'orders.get': { data: theOrder },
  'wallet.get': { data: { balance: 1000, updatedAt: things.inDays(0) } },
  'wallet.page': { data: things.pageOf(things.transaction) },
  'wallet.summary': { data: { income: 200, expense: 0, count: 1, pending: 0 } },
  'payments.list': { data: things.pageOf(things.payment) },
  'payments.summary': { data: { paid: 200, pending: 0, failed: 0, count: 1 } },
  'payments.status': { data: things.payment },
  'console.details': { data: theServer },
  'console.monitoring': {
    data: {
      serverId: theServer.id,
      serverIp: '10.66.0.4',
      status: 'ONLINE',
      power: 'on',
      cpuUsage: 23.8,
      memoryUsage: 61.1,
      diskUsage: 36.3,
      sshConnectable: true,
      lastCheckTime: things.inDays(0),
      uptime: 20,
      samples: [{ at: things.inDays(0), cpuUsage: 23.8, memoryUsage: 61.1, diskUsage: 36.3 }],
    },
  },
  'console.logs': { data: things.pageOf() },
  'console.metrics': { data: { range: 'hour', stepSeconds: 60, points: [] } },
  'console.install': {
    data: {
      serverId: theServer.id,
      orderId: theOrder.id,
      orderStatus: 'ACTIVE',
      wasActive: true,
      serverName: theOrder.serverName,
      installStatus: 'COMPLETED',
      driver: 'kvm',
      jobId: null,
      kind: null,
      steps: [],
      percentage: 100,
      attempt: 1,
      startedAt: null,
      finishedAt: null,
      typicalSeconds: null,
      error: null,
    },
  },
  'accounts.sshKeys': { data: [] },
  'accounts.devices': { data: [] },
}
const nothingYet: Script = Object.fromEntries(Object.keys(everything).map((path) => [path, 'no answer']))

const status = (name: string) => () => page.getByRole('status', { name })
const busyTable = (name: string) => () => page.getByRole('table', { name })

describe.each([
  { what: 'the shop', path: '/sales', shown: status('正在加载产品') },
  { what: 'the dashboard', path: '/dashboard', shown: busyTable('服务器') },
  { what: 'the orders', path: '/orders', shown: busyTable('订单') },
  { what: 'an order', path: `/orders?orderId=${theOrder.id}`, shown: status('正在加载订单') },
  { what: 'the transactions', path: '/transactions', shown: busyTable('交易记录') },
  { what: 'the payments', path: '/payment/history', shown: busyTable('支付记录') },
  { what: 'the console', path: `/server-manage/${theOrder.id}`, shown: status('正在加载服务器信息') },
  {
    what: 'an installation',
    path: `/server-install-progress/${theServer.id}`,
    shown: status('正在加载安装进度'),
  },
  {
    what: 'the result of a payment',
    path: `/payment/success?order=${things.payment.outTradeNo}`,
    shown: () => page.getByText('正在确认支付结果'),
  },
  { what: 'recharging', path: '/recharge', shown: () => page.getByRole('button', { name: '立即充值' }) },
  { what: 'the profile', path: '/profile', shown: () => page.getByRole('heading', { name: '我的钱包' }) },
])('$what', ({ path, shown }) => {
  test('is a frame while it is read, without a false nothing, and then the screen', async () => {
    await open(path, nothingYet)
    await expect.element(shown()).toBeVisible()
    expect(document.body.textContent).not.toMatch(/暂无|¥0\.00|加载.*失败/)
    await expectSoundEverywhere()
    await answer(everything)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => document.querySelectorAll('[aria-busy="true"]').length).toBe(0)
    await expect.poll(() => page.getByRole('status', { name: /正在|加载/ }).elements()).toEqual([])
    await expect.element(page.getByText(/[¥\d]/).first()).toBeVisible()
    await expectSoundEverywhere()
  })
})
