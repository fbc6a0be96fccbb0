/** The specification's error catalogue, as screens say it. */
import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { notices, pressOn } from '../testing/act'
import { consoleReads, consoleAddress } from '../testing/customers-acts'
import { answer, arrive, expectSoundEverywhere, main, open } from '../testing/screen'
import type { Failure, Script } from '../testing/script'
import { category, group, inDays, offer, pageOf, payment, transaction } from '../testing/things'

const alert = () => main().getByRole('alert')
const wallet = { data: { balance: 1000, updatedAt: inDays(0) } }
const shop: Script = {
  'shop.categories': { data: [category] },
  'shop.groups': { data: [group] },
  'shop.priceGroups': { data: [offer()] },
  'accounts.sshKeys': { data: [] },
}

test.each([
  ['cut short', '登录失败'],
  ['foreign JSON', '登录失败'],
  ['lost', text.networkError],
] as const)('signing in says what became of it where the answer is %s', async (failure, sentence) => {
  await open('/auth', { 'accounts.signIn': failure }, 'visitor')
  await page.getByLabelText('用户名').fill('demo')
  await page.getByLabelText('密码', { exact: true }).fill('Demo-user-1')
  await pressOn('登录')
  await expect.element(alert()).toMatchTextContent(sentence)
  await page.getByRole('button', { name: '关闭提示' }).click()
  await expect.element(alert()).not.toBeInTheDocument()
})

test('the shop names every read that failed, and reads them again on request', async () => {
  const failing = Object.fromEntries(Object.keys(shop).map((path) => [path, 'a proxy’s page']))
  await arrive('/sales', failing)
  for (const sentence of ['获取服务器类别失败', '获取服务器分组失败', '获取价格组失败', text.serverError])
    await expect.element(alert()).toMatchTextContent(sentence)
  await expectSoundEverywhere()
  await answer(shop)
  await pressOn('重试')
  await expect.element(page.getByRole('radio', { name: '按月' })).toBeInTheDocument()
})

const lists: [address: string, reads: Script, title: string, reasons: [Failure, string][]][] = [
  ['/orders', { 'orders.page': { data: pageOf() } }, '加载订单失败', [['a proxy’s page', text.serverError]]],
  [
    '/transactions',
    {
      'wallet.page': { data: pageOf(transaction) },
      'wallet.summary': { data: { income: 0, expense: 0, count: 0, pending: 0 } },
    },
    '加载交易记录失败',
    [
      ['a proxy’s page', '后端服务未启动或API路径错误'],
      ['lost', text.networkError],
    ],
  ],
  [
    '/payment/history',
    {
      'payments.list': { data: pageOf(payment) },
      'payments.summary': { data: { paid: 0, pending: 0, failed: 0, count: 0 } },
    },
    '加载支付记录失败',
    [
      ['a proxy’s page', text.serverError],
      ['a missing path', '支付记录接口不存在'],
      ['lost', '无法连接到服务器'],
    ],
  ],
]
const reasons = lists.flatMap(([address, reads, title, each]) =>
  each.map(([failure, reason]) => ({ address, reads, title, failure, reason })),
)
test.each(reasons)(
  '$address says why it could not be read: $failure',
  async ({ address, reads, title, failure, reason }) => {
    await arrive(address, Object.fromEntries(Object.keys(reads).map((path) => [path, failure])))
    await expect.element(alert()).toMatchTextContent(title)
    await expect.element(alert()).toMatchTextContent(reason)
    await expectSoundEverywhere()
    await answer(reads)
    await alert().getByRole('button', { name: '重试' }).click()
    await expect.element(alert()).not.toBeInTheDocument()
  },
)

const pending = { ...payment, status: 'PENDING', completedAt: null } as const
test.each([
  ['a proxy’s page', /^查询支付状态失败$/],
  ['lost', '查询支付状态失败：网络连接错误'],
] as const)('asking for a payment’s state says why it failed: %s', async (failure, sentence) => {
  await open('/payment/history', {
    'payments.list': { data: pageOf(pending) },
    'payments.summary': { data: { paid: 0, pending: 1, failed: 0, count: 1 } },
    'payments.status': failure,
  })
  await page.getByRole('button', { name: '刷新状态' }).click()
  await expect.element(notices.getByText(sentence)).toBeVisible()
})

test('a payment that was found to be cancelled is said to be, not to wait for its payer', async () => {
  await open('/payment/history', {
    'payments.list': { data: pageOf(pending) },
    'payments.summary': { data: { paid: 0, pending: 1, failed: 0, count: 1 } },
    'payments.status': { data: { ...payment, status: 'CANCELLED', completedAt: null } },
  })
  await page.getByRole('button', { name: '刷新状态' }).click()
  await expect.element(notices.getByText('支付已取消')).toBeVisible()
})

test('who cannot be read as the page loads is signed out', async () => {
  await open('/orders', { 'accounts.me': 'a proxy’s page', 'orders.page': { data: pageOf() } })
  await expect.poll(() => location.pathname + location.search).toBe('/auth?next=%2Forders')
  expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null])
})

test('no balance is claimed that could not be read', async () => {
  await arrive('/recharge', { 'wallet.get': 'a proxy’s page', 'payments.list': { data: pageOf() } })
  await expect.element(main().getByText('暂时无法读取')).toBeVisible()
  await expectSoundEverywhere()
})

test('no outcome of a payment is claimed that could not be read', async () => {
  await arrive(`/payment/success?order=${payment.outTradeNo}`, { 'payments.status': 'a proxy’s page' })
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('正在确认支付结果')
  await expectSoundEverywhere()
  await answer({ 'payments.status': { data: { ...payment, status: 'FAILED', completedAt: null } } })
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('支付失败')
})

test('a wallet is offered where none could be read, and the offer goes once one is there', async () => {
  await arrive('/profile', { 'wallet.get': 'a proxy’s page' })
  await expect.element(alert().first()).toMatchTextContent(text.serverError)
  await expectSoundEverywhere()
  await answer({ 'wallet.open': { data: wallet.data }, 'wallet.get': wallet })
  await pressOn('创建钱包')
  await expect.element(notices.getByText('钱包创建成功')).toBeVisible()
  await expect.element(page.getByRole('button', { name: '创建钱包' })).not.toBeInTheDocument()
})

test.each([
  ['a proxy’s page', /^刷新数据失败$/],
  ['lost', '刷新数据失败：网络连接错误'],
] as const)('the console says that it could not be refreshed: %s', async (failure, sentence) => {
  await open(consoleAddress, consoleReads)
  await expect.element(page.getByRole('button', { name: '重启' })).toBeVisible()
  await answer({ ...consoleReads, 'orders.get': failure })
  await pressOn('刷新数据')
  await expect.element(notices.getByText(sentence)).toBeVisible()
})

test('a console whose order cannot be read leads to the dashboard with both sentences', async () => {
  await arrive(consoleAddress, { ...consoleReads, 'orders.get': 'a proxy’s page', 'orders.list': { data: [] } })
  await expect.poll(() => location.pathname).toBe('/dashboard')
  await expect
    .element(notices.getByText('加载服务器信息失败，请稍后重试（加载订单信息失败: 服务器错误，请稍后重试）'))
    .toBeVisible()
})
