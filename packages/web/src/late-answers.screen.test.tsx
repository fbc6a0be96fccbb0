import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { currentSession, endSession, startSession } from './api/session'
import { watchJob } from './jobs/watched-jobs'
import { choose, dialog, field, inDialog, inQuestion, notices, pressOn, question } from './testing/act'
import { consoleAddress, consoleReads } from './testing/customers-acts'
import { category, finding, findingsReads } from './testing/operators-things'
import { answer, callsOf, main, open, visit } from './testing/screen'
import type { CallPath, Script } from './testing/script'
import {
  id,
  inDays,
  offer,
  order,
  pageOf,
  payment,
  quoted,
  row,
  category as sold,
  group,
  endedJob,
} from './testing/things'

const refusal = '服务器认为现在不行'
const refused = { refused: 'STATE_CHANGED', message: refusal } as const
const unpaid = { status: 'PENDING', serverId: null, server: null, paidAt: null, expiresAt: null, amount: 29 } as const
const wanted = order(unpaid)
const [one, other] = [
  { ...category, id: id(901), name: '甲类' },
  { ...category, id: id(902), name: '乙类' },
]
const categories: Script = { 'catalogue.categories': { data: pageOf(one, other) } }
const wallet = (balance: number): Script => ({ 'wallet.get': { data: { balance, updatedAt: inDays(0) } } })
const orders: Script = {
  'orders.page': { data: pageOf(row(unpaid)) },
  'orders.get': { data: wanted },
  'orders.quote': { data: quoted },
  ...wallet(1000),
}
const shop: Script = {
  'shop.categories': { data: [sold] },
  'shop.groups': { data: [group] },
  'shop.priceGroups': { data: [offer()] },
  'accounts.sshKeys': { data: [] },
}
const running: Script = {
  ...orders,
  'orders.page': { data: pageOf(row()) },
  'orders.get': { data: order() },
  'shop.priceGroups': { data: [offer()] },
  'orders.upgradeQuote': {
    data: {
      amount: 5,
      periodBefore: 67,
      periodAfter: 80,
      remainingSeconds: 864_000,
      available: true,
      spec: { cpuCores: 8, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1, backups: 0 },
    },
  },
  'jobs.get': 'no answer',
}

const sshKey = { id: id(6), name: '台式机', publicKey: 'ssh-ed25519 A', fingerprint: 'SHA256:b', createdAt: inDays(-2) }
const device = {
  id: id(5),
  current: false,
  address: null,
  userAgent: null,
  lastSeenAt: inDays(0),
  createdAt: inDays(-1),
}

const sent = async (path: CallPath) => await expect.poll(() => callsOf(path)).toHaveLength(1)
const edit = (name: string) => page.getByRole('button', { name: `编辑 ${name}` }).click()

async function saveAndClose(): Promise<void> {
  await open('/categories', { ...categories, 'catalogue.updateCategory': 'no answer' }, 'admin')
  await edit(one.name)
  await field('描述').fill('新的描述')
  await inDialog('保存').click()
  await sent('catalogue.updateCategory')
  await inDialog('取消').click()
  await expect.element(dialog).not.toBeInTheDocument()
}

test('a form that was closed while it saved says what it was refused for', async () => {
  await saveAndClose()
  await answer({ ...categories, 'catalogue.updateCategory': refused })
  await expect.element(notices.getByText(refusal)).toBeVisible()
})

test('a form that was closed while it saved closes none that was opened since', async () => {
  await saveAndClose()
  await edit(other.name)
  await field('描述').fill('正在填写')
  await answer({ ...categories, 'catalogue.updateCategory': { data: one } })
  await expect.element(notices.getByText('服务器分类已更新')).toBeVisible()
  await expect.element(field('描述')).toHaveValue('正在填写')
})

test('a question that was closed while it was done says what it was refused for, and closes none since', async () => {
  await open('/categories', { ...categories, 'catalogue.deleteCategory': 'no answer' }, 'admin')
  const remove = (name: string) => page.getByRole('button', { name: `删除 ${name}` }).click()
  await remove(one.name)
  await inQuestion('确认删除').click()
  await sent('catalogue.deleteCategory')
  await inQuestion('取消').click()
  await remove(other.name)
  await answer({ ...categories, 'catalogue.deleteCategory': refused })
  await expect.element(notices.getByText(refusal)).toBeVisible()
  await expect.element(question.getByText(other.name)).toBeVisible()
  await expect.element(question.getByText(refusal)).not.toBeInTheDocument()
})

test('a finding that was closed while it was marked closes none that was opened since', async () => {
  const [first, second] = [finding({ id: id(903), subject: 'vm-1' }), finding({ id: id(904), subject: 'vm-2' })]
  const found: Script = { ...findingsReads(), 'findings.list': { data: pageOf(first, second) } }
  const handle = (n: number) => main().getByRole('button', { name: '处理' }).nth(n).click()
  await open('/findings', { ...found, 'findings.resolve': 'no answer' }, 'admin')
  await handle(0)
  await inDialog('标记为已处理').click()
  await sent('findings.resolve')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await handle(1)
  await expect.element(dialog.getByText(second.subject)).toBeVisible()
  await answer({ ...found, 'findings.list': 'no answer', 'findings.resolve': { data: null } })
  await expect.element(notices.getByText('发现项已处理')).toBeVisible()
  await expect.poll(async () => (await callsOf('findings.list')).length).toBe(1)
  await answer({ ...found, 'findings.list': { data: pageOf(second) } })
  await expect.element(main().getByText(first.subject)).not.toBeInTheDocument()
  await expect.element(dialog.getByText(second.subject)).toBeVisible()
})

test.each([
  [
    'orders.renameServer',
    consoleAddress,
    consoleReads,
    async () => {
      await pressOn('修改服务器名称')
      await field('服务器名称').fill('新名称')
    },
  ],
  ['orders.setLabels', '/dashboard', { 'orders.list': { data: [row()] } }, () => choose(row().serverName, '设置标签')],
  [
    'accounts.addSshKey',
    '/profile?part=keys',
    { 'accounts.sshKeys': { data: [] } },
    async () => {
      await pressOn('新增')
      await field('名称').fill('笔记本')
      await field('公钥').fill(`ssh-ed25519 ${'A'.repeat(68)}`)
    },
  ],
] satisfies [CallPath, string, Script, () => Promise<void>][])(
  '%s refused once its dialog was closed is told',
  async (path, at, reads, reach) => {
    await open(at, { ...reads, [path]: 'no answer' })
    await reach()
    await inDialog('保存').click()
    await sent(path)
    await inDialog('取消').click()
    await answer({ ...reads, [path]: refused })
    await expect.element(notices.getByText(refusal)).toBeVisible()
  },
)

test('an order that was paid once somebody went on elsewhere leads away from nothing', async () => {
  await open(`/orders?pay=${wanted.id}`, { ...orders, 'orders.pay': 'no answer' })
  await inDialog('支付').click()
  await sent('orders.pay')
  await inDialog('稍后支付').click()
  visit('/notices')
  await expect.element(main().getByRole('heading', { level: 1, name: '公告' })).toBeVisible()
  await answer({ ...orders, 'orders.pay': { data: order({ ...unpaid, status: 'PAID', serverId: id(12) }) } })
  await expect.element(notices.getByText('支付成功')).toBeVisible()
  expect(location.pathname + location.search).toBe('/notices')
})

test('an order that was placed once somebody went on elsewhere leads away from nothing', async () => {
  await open('/sales', { ...shop, ...orders, 'orders.place': 'no answer' })
  await pressOn('立即购买')
  await sent('orders.place')
  visit('/notices')
  await expect.element(main().getByRole('heading', { level: 1, name: '公告' })).toBeVisible()
  await answer({ ...shop, ...orders, 'orders.place': { data: wanted } })
  await expect.element(notices.getByText('订单创建成功')).toBeVisible()
  expect(location.pathname + location.search).toBe('/notices')
})

test('a top-up whose dialog was closed before it began waits without the word to pay with it', async () => {
  await open(`/orders?pay=${wanted.id}`, { ...orders, ...wallet(0), 'payments.create': 'no answer' })
  await inDialog('充值 ¥29.00 并支付订单').click()
  await sent('payments.create')
  await inDialog('稍后支付').click()
  const { outTradeNo } = payment
  const started = { code: 1, msg: '', qrCode: 'weixin://pay/1', payUrl: null, outTradeNo } as const
  await answer({ ...orders, ...wallet(0), 'payments.create': { data: started } })
  await expect
    .poll(() => JSON.parse(localStorage.getItem('top-up') ?? 'null') as unknown)
    .toMatchObject({ outTradeNo, agreed: null })
})

test('an upgrade that was done once its dialog was closed closes and leaves nothing', async () => {
  await open('/orders', { ...running, 'orders.upgrade': 'no answer' })
  await choose(`订单 ${row().orderNumber}`, '升级配置')
  await field('CPU数值').fill('8')
  await userEvent.tab()
  await inDialog('确认升级').click()
  await sent('orders.upgrade')
  await inDialog('取消').click()
  await answer({ ...running, 'orders.upgrade': { data: { jobId: id(5) } } })
  await expect.element(notices.getByText('升级任务已提交')).toBeVisible()
  expect(location.pathname).toBe('/orders')
})

test.each([
  [
    '/profile?part=keys',
    'accounts.addSshKey',
    'accounts.sshKeys',
    async () => {
      await pressOn('新增')
      await field('名称').fill('笔记本')
      await field('公钥').fill(`ssh-ed25519 ${'A'.repeat(68)}`)
      await inDialog('保存').click()
    },
  ],
  [
    '/profile?part=keys',
    'accounts.removeSshKey',
    'accounts.sshKeys',
    async () => {
      await main().getByRole('button', { name: '删除' }).click()
      await inQuestion('确认删除').click()
    },
  ],
  [
    '/profile?part=devices',
    'accounts.revokeDevice',
    'accounts.devices',
    async () => {
      await main().getByRole('button', { name: '移除' }).click()
      await inQuestion('确认移除').click()
    },
  ],
] satisfies [string, CallPath, CallPath, () => Promise<void>][])(
  'at %s, whatever became of %s whose answer was lost is read again',
  async (at, path, read, act) => {
    const lists: Script = { 'accounts.sshKeys': { data: [sshKey] }, 'accounts.devices': { data: [device] } }
    await open(at, { ...lists, [path]: 'lost' })
    await expect.poll(async () => (await callsOf(read)).length).toBe(1)
    await act()
    await sent(path)
    await expect.poll(async () => (await callsOf(read)).length).toBe(2)
  },
)

test('what was added before its list was first answered is in it, though that answer is older', async () => {
  await open('/profile?part=keys', { 'accounts.sshKeys': 'no answer', 'accounts.addSshKey': { data: [sshKey] } })
  await pressOn('新增')
  await field('名称').fill(sshKey.name)
  await field('公钥').fill(`ssh-ed25519 ${'A'.repeat(68)}`)
  await inDialog('保存').click()
  await expect.element(notices.getByText('SSH密钥已添加')).toBeVisible()
  await answer({ 'accounts.sshKeys': [{ data: [] }, { data: [sshKey] }] })
  await expect.element(main().getByText(sshKey.name)).toBeVisible()
})

test('who is signed out in the midst of a dialog is told so once, in the sign-in page’s words', async () => {
  const reads: Script = { 'accounts.sshKeys': { data: [sshKey] } }
  await open('/profile?part=keys', { ...reads, 'accounts.removeSshKey': { refused: 'UNAUTHENTICATED' } })
  await main().getByRole('button', { name: '删除' }).click()
  await inQuestion('确认删除').click()
  await expect.element(main().getByText('登录已失效，请重新登录')).toBeVisible()
  await expect.element(notices.getByText('请先登录')).not.toBeInTheDocument()
})

test('who signs out, and is refused something before that is answered, is not told that the session was lost', async () => {
  const reads: Script = { ...orders, 'accounts.sshKeys': { data: [] }, 'accounts.signOut': 'no answer' }
  await open('/profile?part=keys', reads)
  await page.getByRole('button', { name: '用户菜单' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await sent('accounts.signOut')
  await answer({ ...reads, 'orders.page': { refused: 'UNAUTHENTICATED' } })
  visit('/orders')
  await expect.element(main().getByRole('button', { name: '登录', exact: true })).toBeVisible()
  expect(location.pathname + location.search).toBe('/auth')
  expect(main().getByText('登录已失效').elements()).toEqual([])
})

test('the end of a job is told even where nothing answered when it was first asked for', async () => {
  await open('/orders', { ...orders, 'jobs.get': 'lost' })
  watchJob(id(5))
  await expect.poll(async () => (await callsOf('jobs.get')).length).toBe(3)
  await answer({ ...orders, 'jobs.get': { data: endedJob('restart') } })
  await expect.element(notices.getByText('重启完成')).toBeVisible()
})

test('a session that ended refuses what it still asked without ending the one that began since', async () => {
  const reads: Script = { ...orders, 'orders.list': { data: [] } }
  await open('/orders', { ...reads, 'orders.page': 'no answer' })
  await sent('orders.page')
  endSession()
  const next = { id: id(2), username: 'next', email: 'next@example.com', role: 'USER', isAdmin: false }
  startSession('a token of the next one', { ...next, createdAt: inDays(0) })
  const logged = vi.spyOn(console, 'warn')
  await answer({ ...reads, 'orders.page': { refused: 'UNAUTHENTICATED' } })
  await expect.poll(() => logged.mock.calls.length).toBeGreaterThan(0)
  expect(currentSession().token).toBe('a token of the next one')
})
