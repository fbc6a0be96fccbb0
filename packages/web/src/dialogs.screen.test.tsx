/** Every dialog takes the focus, closes by Escape and gives the focus back. */
import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, field } from './testing/act'
import { consoleAddress, consoleReads } from './testing/customers-acts'
import {
  address,
  announcement,
  anyOrder,
  anyPayment,
  category,
  findingsReads,
  group,
  host,
  hostAddress,
  hostReads,
  image,
  imageOnHost,
  incident,
  job,
  pool,
  priceGroup,
  refund,
  server,
  settingsReads,
  user,
  userAddress,
  userReads,
} from './testing/operators-things'
import { open } from './testing/screen'
import type { Script } from './testing/script'
import { backdropClass } from './theme/tokens'
import {
  backups,
  endedJob,
  id,
  inDays,
  offer,
  order,
  pageOf,
  payment,
  quoted,
  row,
  transaction,
} from './testing/things'

interface Place {
  at: string
  as?: 'visitor' | 'customer' | 'admin'
  reads: Script
  buttons?: (string | RegExp)[]
  menu?: [of: string, entries: string[]]
}

const groups: Script = { 'catalogue.groups': { data: pageOf(group) } }
const pools: Script = { 'pools.list': { data: pageOf(pool) } }
const wallet: Script = { 'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } } }
const ofRecord = (name: string) => ['新增', `删除 ${name}`]
const key = {
  id: id(6),
  name: '笔记本',
  publicKey: `ssh-ed25519 ${'A'.repeat(68)}`,
  fingerprint: `SHA256:${'b'.repeat(43)}`,
  createdAt: inDays(-2),
}
const device = {
  id: id(5),
  current: false,
  address: '203.0.113.9',
  userAgent: 'Firefox/140 Linux',
  createdAt: inDays(-2),
  lastSeenAt: inDays(-1),
}
const entry = {
  id: id(121),
  at: inDays(0),
  actorKind: 'admin',
  actorId: id(3),
  actorName: 'admin',
  action: 'group.update',
  subjectKind: 'group',
  subjectId: group.id,
  subjectName: group.name,
  address: '203.0.113.99',
  details: {},
} as const
const operators: Place[] = [
  {
    at: '/categories',
    reads: { 'catalogue.categories': { data: pageOf(category) } },
    buttons: ofRecord(category.name),
  },
  {
    at: '/groups',
    reads: { ...groups, 'catalogue.categories': { data: pageOf(category) } },
    buttons: ofRecord(group.name),
  },
  {
    at: '/servers',
    reads: { ...groups, 'servers.list': { data: pageOf(server) } },
    buttons: ofRecord(server.ip ?? ''),
  },
  {
    at: '/price-groups',
    reads: { ...groups, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } },
    buttons: ['新增', `预览 ${priceGroup().name} 的销售页`],
    menu: [priceGroup().name, ['应用折扣', '删除']],
  },
  {
    at: '/images',
    reads: { 'images.list': { data: pageOf({ ...image, hosts: [imageOnHost] }) } },
    buttons: [...ofRecord('Debian 12'), /台已就绪，查看/],
  },
  {
    at: '/ip-pools',
    reads: { ...pools, 'pools.addresses': { data: pageOf(address) } },
    buttons: [...ofRecord(pool.name), `查看地址 ${pool.name}`],
  },
  {
    at: '/hosts',
    reads: { ...groups, ...pools, 'hosts.list': { data: pageOf(host) }, 'hosts.get': { data: host } },
    buttons: ['接入宿主机'],
    menu: [host.name, ['重新生成接入命令', '吊销令牌', '宣告丢失']],
  },
  {
    at: hostAddress,
    reads: hostReads,
    buttons: ['编辑宿主机'],
    menu: [host.name, ['重新生成接入命令', '吊销令牌', '宣告丢失']],
  },
  {
    at: '/jobs',
    reads: { 'jobs.list': { data: pageOf(job()) }, 'jobs.get': { data: { ...endedJob('restart'), id: job().id } } },
    buttons: [`详情 重启 ${job().serverName}`],
    menu: [`任务 重启 ${job().serverName}`, ['取消任务']],
  },
  { at: '/findings', reads: findingsReads(), buttons: [/^处理 /] },
  {
    at: '/refunds',
    reads: { 'refunds.list': { data: pageOf(refund) } },
    buttons: [`批准 ${refund.orderNumber}`, `驳回 ${refund.orderNumber}`],
  },
  {
    at: '/payments',
    reads: { 'payments.all': { data: pageOf(anyPayment()) } },
    buttons: [anyPayment().outTradeNo],
  },
  {
    at: '/users',
    reads: { 'users.list': { data: pageOf(user) } },
    menu: [user.username, ['调整余额', '设为管理员', '停用账户']],
  },
  { at: userAddress, reads: userReads, buttons: ['调整余额'], menu: [user.username, ['设为管理员', '停用账户']] },
  { at: `${userAddress}?part=notes`, reads: userReads, buttons: ['写备注'] },
  {
    at: '/announcements',
    reads: { ...groups, 'announcements.list': { data: pageOf(announcement) } },
    buttons: ['发布公告', `结束 ${announcement.title}`],
  },
  {
    at: '/incidents',
    reads: { ...groups, 'status.incidents': { data: pageOf(incident) } },
    buttons: ['发布服务事件', `补充进展 ${incident.title}`],
  },
  { at: '/audit', reads: { 'audit.list': { data: pageOf(entry) } }, buttons: [/^查看 编辑分组 admin \d/] },
  {
    at: '/all-orders',
    reads: {
      'orders.all': { data: pageOf(anyOrder()) },
      'orders.renewal': { data: { amount: 50, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } },
      'users.get': { data: user },
    },
    menu: [`订单 ${row().orderNumber}`, ['查看详情', '续费', '暂停']],
  },
]

const customers: Place[] = [
  {
    at: '/orders',
    reads: {
      ...wallet,
      'orders.page': { data: pageOf(row({ refundableUntil: inDays(3) })) },
      'orders.get': { data: order({ refundableUntil: inDays(3) }) },
      'orders.renewal': { data: { amount: 67.15, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } },
      'shop.priceGroups': { data: [offer()] },
    },
    menu: [`订单 ${row().orderNumber}`, ['查看详情', '续费', '升级配置', '申请退款']],
  },
  {
    at: '/dashboard',
    reads: {
      ...wallet,
      'orders.renewal': { data: { amount: 67.15, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } },
      'orders.list': { data: [row()] },
      'shop.osOptions': { data: offer().osOptions },
      'accounts.sshKeys': { data: [] },
    },
    menu: [row().serverName, ['查看详情', '连接', '重装系统', '设置标签', '续费']],
  },
  {
    at: '/profile?part=keys',
    reads: { 'accounts.sshKeys': { data: [key] } },
    buttons: ['新增', `删除 ${key.name}`],
  },
  {
    at: '/profile?part=devices',
    reads: { 'accounts.devices': { data: [device] } },
    buttons: [/^移除 /],
  },
  {
    at: '/transactions',
    reads: {
      'wallet.page': { data: pageOf(transaction) },
      'wallet.summary': { data: { income: 200, expense: 0, count: 1, pending: 0 } },
    },
    buttons: [`查看详情 ${transaction.transactionNumber}`],
  },
  {
    at: '/payment/history',
    reads: {
      'payments.list': { data: pageOf(payment) },
      'payments.summary': { data: { paid: 200, pending: 0, failed: 0, count: 1 } },
    },
    buttons: [`查看详情 ${payment.outTradeNo}`],
  },
  { at: consoleAddress, reads: consoleReads, buttons: ['修改服务器名称', '重启'] },
  {
    at: `${consoleAddress}?part=disk`,
    reads: { ...consoleReads, 'orders.get': { data: order({ backups: 3 }) }, 'backups.list': { data: backups() } },
    buttons: ['创建备份', '设置定时备份', /^恢复 .* 的备份$/, /^删除 .* 的备份$/],
  },
  { at: '/settings', as: 'admin', reads: settingsReads, buttons: ['编辑备份存储', '停用备份存储'] },
  { at: '/notices', as: 'visitor', reads: {}, buttons: ['隐私政策', '主题设置'] },
]

const places = [...customers, ...operators.map((place) => ({ ...place, as: 'admin' as const }))]

test.each(places)(
  'at $at each dialog is closed by Escape and gives the focus back',
  async ({ at, as, reads, ...ways }) => {
    await open(at, reads, as)
    for (const name of ways.buttons ?? []) {
      const opener = page.getByRole('button', { name, exact: typeof name === 'string' }).first()
      await opener.click()
      await expectClosed(opener.element())
    }
    const [of, entries] = ways.menu ?? ['', []]
    for (const entry of entries) {
      const opener = page.getByRole('button', { name: `${of} 的更多操作` })
      await opener.click()
      await page.getByRole('menuitem', { name: entry, exact: true }).click()
      await expectClosed(opener.element())
    }
    expect(shown()).toBeNull()
  },
)

const shown = () => document.querySelector('[role="dialog"], [role="alertdialog"]')

async function expectClosed(opener: Element): Promise<void> {
  await expect.poll(() => shown()?.contains(document.activeElement)).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.poll(shown).toBeNull()
  await expect.poll(() => document.activeElement).toBe(opener)
}

const waiting = { status: 'PENDING', serverId: null, server: null, paidAt: null, expiresAt: null, amount: 29 } as const
const withOffer: Script = { 'shop.priceGroups': { data: [offer()] }, 'shop.osOptions': { data: offer().osOptions } }
const filledIn: [what: string, at: string, reads: Script, open: () => Promise<void>, field: string, value: string][] = [
  [
    'an SSH key',
    '/profile?part=keys',
    { 'accounts.sshKeys': { data: [] } },
    () => page.getByRole('main').getByRole('button', { name: '新增' }).click(),
    '公钥',
    'ssh-ed25519 AAAA',
  ],
  [
    'a name',
    consoleAddress,
    consoleReads,
    () => page.getByRole('button', { name: '修改服务器名称' }).click(),
    '服务器名称',
    '新名称',
  ],
  [
    'a reinstall',
    '/dashboard',
    { 'orders.list': { data: [row()] }, 'accounts.sshKeys': { data: [] }, ...withOffer },
    () => choose(row().serverName, '重装系统'),
    '新SSH端口',
    '2222',
  ],
  [
    'an upgrade',
    '/orders',
    { 'orders.page': { data: pageOf(row()) }, ...wallet, ...withOffer },
    () => choose(`订单 ${row().orderNumber}`, '升级配置'),
    'CPU数值',
    '8',
  ],
  [
    'what is recharged for an order',
    `/orders?pay=${order().id}`,
    {
      'orders.page': { data: pageOf() },
      'orders.get': { data: order(waiting) },
      'orders.quote': { data: quoted },
      'wallet.get': { data: { balance: 0, updatedAt: inDays(0) } },
    },
    () => Promise.resolve(),
    '充值金额',
    '50',
  ],
]

test.each(filledIn)(
  '%s that is filled in is not lost by a press beside its dialog',
  async (_, at, reads, reach, label, value) => {
    await open(at, reads)
    await reach()
    await field(label).fill(value)
    const backdrop = document.querySelector(`.${backdropClass}`)
    if (!backdrop) throw new Error('no dialog is open')
    await page.elementLocator(backdrop).click({ position: { x: 5, y: 5 } })
    await expect.element(field(label)).toHaveValue(label === '充值金额' ? Number(value) : value)
  },
)

test('a name that is typed is not lost by the key that gives up a composition, also as Safari tells of it', async () => {
  await open(consoleAddress, consoleReads)
  await page.getByRole('button', { name: '修改服务器名称' }).click()
  const name = field('服务器名称')
  await name.fill('新名称')
  for (const type of ['keydown', 'keyup']) {
    const key = { key: 'Escape', code: 'Escape', keyCode: 229, bubbles: true, cancelable: true }
    name.element().dispatchEvent(new KeyboardEvent(type, key))
  }
  await userEvent.keyboard('x')
  await expect.element(name).toHaveValue('新名称x')
})

const lettered: [at: string, as: 'customer' | 'admin', reads: Script, button: string | RegExp, fields: string[]][] = [
  ['/profile?part=keys', 'customer', { 'accounts.sshKeys': { data: [] } }, '新增', ['公钥']],
  [
    `${consoleAddress}?part=disk`,
    'customer',
    { ...consoleReads, 'orders.get': { data: order({ backups: 3 }) }, 'backups.list': { data: backups() } },
    /^恢复 .* 的备份$/,
    [text.typeServerName(row().serverName)],
  ],
  [
    '/servers',
    'admin',
    { ...groups, 'servers.list': { data: pageOf(server) } },
    `删除 ${server.ip}`,
    [`输入 ${server.ip} 以确认`],
  ],
  ['/servers', 'admin', { ...groups, 'servers.list': { data: pageOf(server) } }, '新增', ['IP地址', '用户名']],
  ['/ip-pools', 'admin', pools, '新增', ['网段', '起始地址', '结束地址', '网关', 'DNS', '网桥']],
  ['/hosts', 'admin', { ...groups, ...pools, 'hosts.list': { data: pageOf(host) } }, '接入宿主机', ['名称', '网桥']],
  ['/images', 'admin', { 'images.list': { data: pageOf(image) } }, '新增', ['文件名', 'SHA-256 校验和', '用户名']],
  ['/settings', 'admin', settingsReads, '编辑备份存储', ['地址']],
]

test.each(lettered)('at %s a phone changes no letter of what counts letter by letter', async (...dialog) => {
  const [at, as, reads, button, fields] = dialog
  await open(at, reads, as)
  await page
    .getByRole('button', { name: button, exact: typeof button === 'string' })
    .first()
    .click()
  for (const label of fields) {
    await expect.element(field(label)).toHaveAttribute('autocapitalize', 'none')
    await expect.element(field(label)).toHaveAttribute('autocorrect', 'off')
    await expect.element(field(label)).toHaveAttribute('spellcheck', 'false')
  }
})
