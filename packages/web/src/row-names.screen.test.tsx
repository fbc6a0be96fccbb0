import { expect, test } from 'vitest'
import { anyOrder, finding, findingsReads, job } from './testing/operators-things'
import { main, open } from './testing/screen'
import type { Script } from './testing/script'
import { id, inDays, pageOf, payment, row, transaction } from './testing/things'

const orders = [
  row(),
  row({ id: id(701), orderNumber: 'V1', status: 'PENDING' }),
  row({ id: id(702), orderNumber: 'V2', status: 'PROCESSING' }),
  row({ id: id(703), orderNumber: 'V3', status: 'CANCELLED' }),
]
const installing = row({
  id: id(702),
  serverName: '另一台',
  status: 'PROCESSING',
})
const waiting = { ...payment, outTradeNo: 'R1', status: 'PENDING' } as const
const key = {
  id: id(704),
  name: '笔记本',
  publicKey: `ssh-ed25519 ${'A'.repeat(68)}`,
  fingerprint: `SHA256:${'b'.repeat(43)}`,
  createdAt: inDays(-2),
}
const device = {
  id: id(705),
  current: false,
  address: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  createdAt: inDays(-2),
  lastSeenAt: inDays(-1),
}
const signIn = {
  id: id(707),
  at: '2026-11-03T04:05:06.000Z',
  actorKind: 'user',
  actorId: id(3),
  actorName: '张三',
  action: 'account.sign-in',
  subjectKind: 'user',
  subjectId: id(3),
  subjectName: '张三',
  address: '203.0.113.9',
  details: {},
} as const
const payments: Script = {
  'payments.list': { data: pageOf(waiting, payment) },
  'payments.summary': { data: { paid: 200, pending: 0, failed: 0, count: 2 } },
}

/** Whoever hears a row's button without the row. */
test.each<[string, 'customer' | 'admin', Script, string[]]>([
  [
    '/dashboard',
    'customer',
    { 'orders.list': { data: [row(), installing] } },
    [`管理 ${row().serverName}`, '查看进度 另一台'],
  ],
  [
    '/orders',
    'customer',
    { 'orders.page': { data: pageOf(...orders) } },
    [`管理服务器 ${row().orderNumber}`, '支付 V1', '查看进度 V2', '查看详情 V3'],
  ],
  [
    '/transactions',
    'customer',
    {
      'wallet.page': { data: pageOf(transaction) },
      'wallet.summary': { data: { income: 200, expense: 0, count: 1, pending: 0 } },
    },
    [`查看详情 ${transaction.transactionNumber}`],
  ],
  ['/payment/history', 'customer', payments, ['继续支付 R1', '查看详情 R1', `查看详情 ${payment.outTradeNo}`]],
  [
    '/recharge',
    'customer',
    { ...payments, 'wallet.get': { data: { balance: 0, updatedAt: inDays(0) } } },
    ['继续支付 R1'],
  ],
  ['/profile?part=keys', 'customer', { 'accounts.sshKeys': { data: [key] } }, [`删除 ${key.name}`]],
  [
    '/profile?part=devices',
    'customer',
    { 'accounts.devices': { data: [device] } },
    ['移除 Firefox · Linux（203.0.113.9）'],
  ],
  [
    '/all-orders',
    'admin',
    { 'orders.all': { data: pageOf(anyOrder(), anyOrder({ id: id(703), orderNumber: 'V3', status: 'CANCELLED' })) } },
    [`管理服务器 ${anyOrder().orderNumber}`, '查看详情 V3'],
  ],
  [
    '/audit',
    'admin',
    { 'audit.list': { data: pageOf(signIn, { ...signIn, id: id(708), at: '2026-11-03T05:05:06.000Z' }) } },
    ['查看 登录 张三 2026-11-03 12:05:06', '查看 登录 张三 2026-11-03 13:05:06'],
  ],
  ['/jobs', 'admin', { 'jobs.list': { data: pageOf(job()) } }, [`详情 重启 ${job().serverName}`]],
  [
    '/findings',
    'admin',
    {
      ...findingsReads(),
      'findings.list': {
        data: pageOf(finding(), finding({ id: id(706), kind: 'stray-domain', subject: 'vm-2', serverName: null })),
      },
    },
    [`处理 缺失的虚拟机 ${finding().serverName}`, '处理 多余的虚拟机 vm-2'],
  ],
])('at %s each button of a row says by its name of which', async (at, as, reads, names) => {
  await open(at, reads, as)
  const named = () =>
    [...main().element().querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'))
  await expect.poll(named).toEqual(expect.arrayContaining(names))
})
