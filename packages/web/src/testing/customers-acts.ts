import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { choose, dialog, field, inDialog, inQuestion, notices, pressOn, question, type Act } from './act'
import { main } from './screen'
import type { Script } from './script'
import {
  authenticator,
  backups,
  category,
  details,
  elsewhere,
  firewall,
  reverseNames,
  group,
  growth,
  id,
  inDays,
  insertedIso,
  offer,
  order,
  pageOf,
  payment,
  row,
  snapshot,
} from './things'

const onMain = (name: string) => main().getByRole('button', { name, exact: true })
const visitor = { as: 'visitor', beside: {} } as const

const signing: Act[] = [
  {
    ...visitor,
    from: 'features/account/SignInForm.tsx',
    path: 'accounts.signIn',
    foreign: '登录失败',
    at: '/auth',
    reach: async () => {
      await field('用户名').fill('demo')
      await field('密码').fill('Demo-user-1')
    },
    send: onMain('登录'),
    told: main().getByRole('alert'),
    kept: [
      [field('用户名'), 'demo'],
      [field('密码'), 'Demo-user-1'],
    ],
  },
  {
    ...visitor,
    from: 'features/account/RegisterForm.tsx',
    path: 'accounts.register',
    foreign: '注册失败',
    at: '/auth',
    reach: async () => {
      await pressOn('立即注册')
      await field('用户名').fill('somebody_new')
      await field('邮箱').fill('somebody@example.com')
      await field('密码').fill('Geheim-123')
      await field('确认密码').fill('Geheim-123')
    },
    send: onMain('注册'),
    told: main().getByRole('alert'),
    kept: [
      [field('用户名'), 'somebody_new'],
      [field('邮箱'), 'somebody@example.com'],
      [field('密码'), 'Geheim-123'],
    ],
  },
  {
    ...visitor,
    from: 'features/account/use-send-code.ts',
    path: 'accounts.forgotPassword',
    foreign: '验证码发送失败',
    at: '/forgot-password',
    reach: () => field('邮箱').fill('somebody@example.com'),
    send: onMain('发送验证码'),
    told: main().getByRole('alert'),
    kept: [[field('邮箱'), 'somebody@example.com']],
  },
  {
    ...visitor,
    from: 'features/account/ResetForm.tsx',
    path: 'accounts.resetPassword',
    foreign: '密码重置失败',
    at: '/forgot-password',
    beside: { 'accounts.forgotPassword': { data: null } },
    reach: async () => {
      await field('邮箱').fill('somebody@example.com')
      await pressOn('发送验证码')
      await field('验证码').fill('123456')
      await field('新密码').fill('Neues-Wort-9')
      await field('确认密码').fill('Neues-Wort-9')
    },
    send: onMain('重置密码'),
    told: main().getByRole('alert'),
    kept: [
      [field('验证码'), '123456'],
      [field('新密码'), 'Neues-Wort-9'],
    ],
  },
  {
    ...visitor,
    from: 'features/account/EmailChangePage.tsx',
    path: 'accounts.followEmailLink',
    at: `/email-change?act=confirm&token=${'a'.repeat(43)}`,
    send: onMain('确认邮箱'),
    told: main(),
  },
]

const device = {
  id: id(5),
  current: false,
  address: '203.0.113.9',
  userAgent: 'Firefox/140 Linux',
  createdAt: inDays(-2),
  lastSeenAt: inDays(-1),
}
const key = {
  id: id(6),
  name: '笔记本',
  publicKey: `ssh-ed25519 ${'A'.repeat(68)}`,
  fingerprint: `SHA256:${'b'.repeat(43)}`,
  createdAt: inDays(-2),
}
const profile: Script = {
  'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } },
  'accounts.sshKeys': { data: [key] },
  'accounts.devices': { data: [device] },
}
const withSecondFactor = {
  as: 'customer',
  from: 'features/account/SecondFactorDialogs.tsx',
  at: '/profile?part=second-factor',
  beside: { 'secondFactor.get': { data: { since: inDays(-3), recoveryCodesLeft: 2 } } },
  told: dialog,
  kept: [
    [field('当前密码'), 'Demo-user-1'],
    [field('验证码'), '123456'],
  ],
} satisfies Omit<Act, 'path' | 'send'>
async function prove(act: string): Promise<void> {
  await pressOn(act)
  await field('当前密码').fill('Demo-user-1')
  await field('验证码').fill('123456')
}
const account: Act[] = [
  {
    as: 'customer',
    from: 'features/account/ProfileForm.tsx',
    path: 'accounts.updateProfile',
    foreign: '个人资料更新失败',
    at: '/profile',
    beside: profile,
    reach: () => field('用户名').fill('another_name'),
    send: onMain('保存'),
    told: main().getByRole('alert'),
    kept: [[field('用户名'), 'another_name']],
  },
  {
    as: 'customer',
    from: 'features/account/WalletCard.tsx',
    path: 'wallet.open',
    foreign: '钱包创建失败',
    at: '/profile',
    beside: { ...profile, 'wallet.get': { data: null } },
    send: onMain('创建钱包'),
    told: notices,
  },
  {
    as: 'customer',
    from: 'features/account/SecondFactorDialogs.tsx',
    path: 'secondFactor.prepare',
    foreign: '两步验证开启失败',
    at: '/profile?part=second-factor',
    beside: { 'secondFactor.get': { data: { since: null, recoveryCodesLeft: 0 } } },
    reach: async () => {
      await pressOn('开启两步验证')
      await field('当前密码').fill('Demo-user-1')
    },
    send: inDialog('下一步'),
    told: dialog,
    kept: [[field('当前密码'), 'Demo-user-1']],
  },
  {
    as: 'customer',
    from: 'features/account/SecondFactorDialogs.tsx',
    path: 'secondFactor.enable',
    foreign: '两步验证开启失败',
    at: '/profile?part=second-factor',
    beside: {
      'secondFactor.get': { data: { since: null, recoveryCodesLeft: 0 } },
      'secondFactor.prepare': { data: authenticator },
    },
    reach: async () => {
      await pressOn('开启两步验证')
      await field('当前密码').fill('Demo-user-1')
      await inDialog('下一步').click()
      await field('验证码').fill('123456')
    },
    send: inDialog('开启'),
    told: dialog,
    kept: [[field('验证码'), '123456']],
  },
  {
    ...withSecondFactor,
    path: 'secondFactor.disable',
    foreign: '两步验证关闭失败',
    reach: () => prove('关闭两步验证'),
    send: inDialog('确认关闭'),
  },
  {
    ...withSecondFactor,
    path: 'secondFactor.renewRecoveryCodes',
    foreign: '恢复码生成失败',
    reach: () => prove('重新生成恢复码'),
    send: inDialog('重新生成'),
  },
  {
    as: 'customer',
    from: 'features/account/DevicesCard.tsx',
    path: 'accounts.revokeDevice',
    at: '/profile?part=devices',
    beside: profile,
    reach: () => pressOn(/^移除 /),
    send: inQuestion('确认移除'),
    told: question,
  },
  {
    as: 'customer',
    from: 'features/account/SshKeysCard.tsx',
    path: 'accounts.removeSshKey',
    at: '/profile?part=keys',
    beside: profile,
    reach: () => pressOn(/^删除 /),
    send: inQuestion('确认删除'),
    told: question,
  },
  {
    as: 'customer',
    from: 'features/account/SshKeysCard.tsx',
    path: 'accounts.addSshKey',
    foreign: 'SSH密钥添加失败',
    at: '/profile?part=keys',
    beside: profile,
    reach: async () => {
      await pressOn('新增')
      await field('名称').fill('台式机')
      await field('公钥').fill(key.publicKey)
    },
    send: inDialog('保存'),
    told: dialog,
    kept: [
      [field('名称'), '台式机'],
      [field('公钥'), key.publicKey],
    ],
  },
]

const unpaid = {
  status: 'PENDING',
  serverId: null,
  server: null,
  paidAt: null,
  activatedAt: null,
  expiresAt: null,
} as const
const orders = (changes: Parameters<typeof row>[0] = {}): Script => ({
  'orders.page': { data: pageOf(row(changes)) },
  'orders.get': { data: order(changes) },
  'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } },
})
const { orderNumber, serverName } = row()
const fromMenu = (entry: string) => () => choose(`订单 ${orderNumber}`, entry)
const ofChosen = (act: string, confirm: RegExp) => ({
  at: '/dashboard',
  beside: {
    ...orders(),
    'orders.list': { data: [row()] },
    'orders.renewal': {
      data: { amount: 67.15, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' as const },
    },
  },
  reach: () => chooseAll(act),
  send: question.getByRole('button', { name: confirm }),
  told: question,
})

/** Chooses every server shown. */
export async function chooseAll(act: string): Promise<void> {
  await page.getByRole('checkbox', { name: '选择本页全部' }).click()
  const bar = page.getByRole('region', { name: '已选的服务器' })
  const shown = bar.getByRole('button', { name: act, exact: true })
  await expect.element(bar).toBeVisible()
  if (shown.elements().length > 0) return shown.click()
  await bar.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

const bought: Act[] = [
  {
    as: 'customer',
    from: 'features/sales/use-ordering.ts',
    path: 'orders.place',
    foreign: '创建订单失败',
    at: '/sales',
    beside: {
      'shop.categories': { data: [category] },
      'shop.groups': { data: [group] },
      'shop.priceGroups': { data: [offer()] },
      'accounts.sshKeys': { data: [] },
    },
    reach: async () => {
      await page.getByRole('radio', { name: '按月' }).click({ force: true })
      await field('SSH端口').fill('2222')
    },
    send: main().getByRole('complementary', { name: '订单摘要' }).getByRole('button', { name: '立即购买' }),
    told: main().getByRole('complementary', { name: '订单摘要' }),
    kept: [[field('SSH端口'), '2222']],
    keyed: true,
  },
  {
    as: 'customer',
    from: 'checkout/use-pay.ts',
    path: 'orders.pay',
    foreign: '支付失败',
    at: '/orders',
    beside: orders(unpaid),
    reach: fromMenu('支付'),
    send: inDialog('支付'),
    told: dialog,
    keyed: true,
  },
  {
    as: 'customer',
    from: 'features/orders/order-actions.tsx',
    path: 'orders.cancel',
    foreign: '取消订单失败',
    at: '/orders',
    beside: orders(unpaid),
    reach: fromMenu('取消订单'),
    send: inQuestion('确认取消订单'),
    told: question,
    keyed: true,
  },
  {
    as: 'customer',
    from: 'features/orders/order-actions.tsx',
    path: 'orders.setAutoRenewal',
    foreign: '自动续费设置更新失败',
    at: '/orders',
    beside: orders(),
    send: page.getByRole('switch', { name: `自动续费 ${orderNumber}` }),
    force: true,
    told: notices,
  },
  {
    as: 'customer',
    from: 'features/orders/RefundDialog.tsx',
    path: 'refunds.request',
    foreign: '申请退款失败',
    at: '/orders',
    beside: orders({ refundableUntil: inDays(3) }),
    reach: async () => {
      await fromMenu('申请退款')()
      await field('退款原因').fill('不再需要')
    },
    send: inQuestion('确认申请退款'),
    told: question,
    kept: [[field('退款原因'), '不再需要']],
    keyed: true,
  },
  {
    as: 'customer',
    from: 'checkout/RenewConfirm.tsx',
    path: 'orders.renew',
    foreign: '续费失败',
    at: '/orders',
    beside: {
      ...orders(),
      'orders.renewal': { data: { amount: 67.15, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } },
    },
    reach: fromMenu('续费'),
    send: inQuestion('确认续费'),
    told: question,
    keyed: true,
  },
  {
    as: 'customer',
    from: 'features/dashboard/ManyAct.tsx',
    path: 'orders.renew',
    foreign: '续费失败',
    ...ofChosen('续费', /^(确认续费|重试剩余 1 台)$/),
    keyed: true,
  },
  {
    as: 'customer',
    from: 'servers/server-questions.tsx',
    path: 'console.act',
    foreign: '服务器响应格式错误',
    ...ofChosen('重启', /^(确认重启|重试剩余 1 台)$/),
    keyed: true,
  },
  {
    as: 'customer',
    from: 'features/dashboard/ManyAct.tsx',
    path: 'orders.setAutoRenewal',
    foreign: '自动续费设置更新失败',
    ...ofChosen('关闭自动续费', /^(确认关闭|重试剩余 1 台)$/),
  },
  {
    as: 'customer',
    from: 'checkout/use-upgrade.ts',
    path: 'orders.upgrade',
    foreign: '升级失败',
    at: '/orders',
    beside: {
      ...orders(),
      'shop.priceGroups': { data: [offer()] },
      'orders.upgradeQuote': { data: growth },
    },
    reach: async () => {
      await fromMenu('升级配置')()
      await dialog.getByRole('slider', { name: 'CPU' }).fill('3')
    },
    send: inDialog('确认升级'),
    told: dialog,
    keyed: true,
  },
]

const started = { code: 1, msg: '', qrCode: 'weixin://pay/1', payUrl: null, outTradeNo: payment.outTradeNo }
const pending = { ...payment, status: 'PENDING', completedAt: null } as const
const recharge: Script = {
  'wallet.get': { data: { balance: 1000, updatedAt: inDays(0) } },
  'payments.list': { data: pageOf() },
}
const paid: Act[] = [
  {
    as: 'customer',
    from: 'checkout/use-recharge.ts',
    path: 'payments.create',
    foreign: '创建支付订单失败',
    at: '/recharge',
    beside: recharge,
    reach: async () => {
      await field('充值金额').fill('200')
      await field('充值备注（可选）').fill('三月')
    },
    send: onMain('立即充值'),
    told: main(),
    kept: [[field('充值备注（可选）'), '三月']],
    keyed: true,
  },
  {
    as: 'customer',
    from: 'checkout/use-payment.ts',
    path: 'payments.cancel',
    foreign: '取消支付失败',
    at: '/recharge',
    beside: { ...recharge, 'payments.create': { data: started }, 'payments.status': { data: pending } },
    reach: () => pressOn('立即充值'),
    send: inDialog('取消支付'),
    told: notices,
  },
]

const server = details()
export const consoleReads: Script = {
  'orders.get': { data: order() },
  'console.details': { data: server },
  'console.monitoring': {
    data: {
      serverId: server.id,
      serverIp: server.ipAddress,
      status: 'ONLINE',
      power: 'on',
      cpuUsage: 23.8,
      memoryUsage: 61.1,
      diskUsage: 36.3,
      sshConnectable: true,
      lastCheckTime: inDays(0),
      uptime: 20,
      samples: [],
    },
  },
  'console.logs': { data: pageOf() },
  'console.metrics': { data: { range: 'hour', stepSeconds: 60, points: [] } },
  'shop.osOptions': { data: offer().osOptions },
  'shop.priceGroups': { data: [offer()] },
  'accounts.sshKeys': { data: [] },
  'snapshots.list': { data: [snapshot()] },
  'firewall.get': { data: firewall() },
  'backups.elsewhere': { data: [] },
  'reverseNames.list': { data: reverseNames({ names: [] }) },
}
export const consoleAddress = `/server-manage/${order().id}`
const snapshots = {
  as: 'customer',
  from: 'features/console/SnapshotQuestions.tsx',
  foreign: '服务器响应格式错误',
  at: `${consoleAddress}?part=disk`,
  beside: { ...consoleReads, 'console.details': { data: details({ snapshots: { used: 1, most: 2 } }) } },
  told: question,
  keyed: true,
} as const
const onSnapshots: Act[] = [
  {
    ...snapshots,
    path: 'snapshots.take',
    reach: async () => {
      await pressOn('创建快照')
      await question.getByRole('textbox').fill('升级数据库之前')
    },
    send: inQuestion('确认创建快照'),
    kept: [[question.getByRole('textbox'), '升级数据库之前']],
  },
  {
    ...snapshots,
    path: 'snapshots.revert',
    reach: async () => {
      await pressOn(`恢复 ${snapshot().name}`)
      await question.getByRole('textbox').fill(serverName)
    },
    send: inQuestion('确认恢复快照'),
    kept: [[question.getByRole('textbox'), serverName]],
  },
  {
    ...snapshots,
    path: 'snapshots.remove',
    reach: () => pressOn(`删除 ${snapshot().name}`),
    send: inQuestion('确认删除'),
  },
]
const keeps = {
  as: 'customer',
  from: 'features/console/BackupQuestions.tsx',
  foreign: '服务器响应格式错误',
  at: `${consoleAddress}?part=disk`,
  beside: { ...consoleReads, 'orders.get': { data: order({ backups: 3 }) }, 'backups.list': { data: backups() } },
  told: question,
  keyed: true,
} as const
const onBackups: Act[] = [
  {
    ...keeps,
    path: 'backups.create',
    reach: () => pressOn('创建备份'),
    send: inQuestion('确认创建备份'),
  },
  {
    ...keeps,
    path: 'backups.restore',
    reach: async () => {
      await main()
        .getByRole('button', { name: /^恢复 .* 的备份$/ })
        .click()
      await question.getByRole('textbox').fill(serverName)
    },
    send: inQuestion('确认恢复备份'),
    kept: [[question.getByRole('textbox'), serverName]],
  },
  {
    ...keeps,
    from: 'features/console/ElsewhereCard.tsx',
    path: 'backups.restore',
    beside: { ...keeps.beside, 'backups.elsewhere': { data: [elsewhere()] } },
    reach: async () => {
      await main()
        .getByRole('button', { name: /^恢复到这台服务器 旧服务器/ })
        .click()
      await question.getByRole('textbox').fill(serverName)
    },
    send: inQuestion('确认恢复到这台服务器'),
    kept: [[question.getByRole('textbox'), serverName]],
  },
  {
    ...keeps,
    path: 'backups.remove',
    reach: () =>
      main()
        .getByRole('button', { name: /^删除 .* 的备份$/ })
        .click(),
    send: inQuestion('确认删除'),
  },
  {
    as: 'customer',
    from: 'features/console/BackupScheduleDialog.tsx',
    path: 'backups.setSchedule',
    at: keeps.at,
    beside: keeps.beside,
    reach: async () => {
      await pressOn('设置定时备份')
      await field('频率').selectOptions('每周')
      await field('星期').selectOptions('周三')
    },
    send: inDialog('保存'),
    told: dialog,
    kept: [[field('星期'), '3']],
  },
]
const onReverseNames: Act = {
  as: 'customer',
  from: 'features/console/ReverseNameDialog.tsx',
  path: 'reverseNames.set',
  at: `${consoleAddress}?part=network`,
  beside: { ...consoleReads, 'reverseNames.list': { data: reverseNames() } },
  reach: async () => {
    await pressOn('编辑 10.66.0.4 的反向解析')
    await field('10.66.0.4 的域名').fill('web.example.com')
  },
  send: inDialog('保存'),
  told: dialog,
  kept: [[field('10.66.0.4 的域名'), 'web.example.com']],
}
const onFirewall: Act = {
  as: 'customer',
  from: 'features/console/firewall/FirewallForm.tsx',
  path: 'firewall.save',
  foreign: '服务器响应格式错误',
  at: `${consoleAddress}?part=network`,
  beside: consoleReads,
  reach: () => page.getByRole('switch', { name: '启用防火墙' }).click({ force: true }),
  send: page.getByRole('button', { name: '保存并应用' }),
  told: page.getByRole('main'),
  keyed: true,
}
const machine: Act[] = [
  {
    as: 'customer',
    from: 'servers/server-questions.tsx',
    path: 'console.act',
    foreign: '服务器响应格式错误',
    at: consoleAddress,
    beside: consoleReads,
    reach: () => pressOn('重启'),
    send: inQuestion('确认重启'),
    told: question,
    keyed: true,
  },
  {
    as: 'customer',
    from: 'servers/server-questions.tsx',
    path: 'console.act',
    foreign: '服务器响应格式错误',
    at: consoleAddress,
    beside: consoleReads,
    reach: async () => {
      await field('新密码').fill('Neues-Wort-9')
      await pressOn('重置密码')
    },
    send: inQuestion('确认重置密码'),
    told: question,
    kept: [[field('新密码'), 'Neues-Wort-9']],
    keyed: true,
  },
  {
    as: 'customer',
    from: 'features/console/TestConnection.tsx',
    path: 'console.testConnection',
    foreign: '服务器响应格式错误',
    at: consoleAddress,
    beside: consoleReads,
    send: onMain('测试连接'),
    told: notices,
  },
  {
    as: 'customer',
    from: 'features/console/ProtectionSwitch.tsx',
    path: 'console.protect',
    foreign: '服务器响应格式错误',
    at: `${consoleAddress}?part=security`,
    beside: consoleReads,
    send: page.getByRole('switch', { name: '保护' }),
    force: true,
    told: notices,
  },
  {
    as: 'customer',
    from: 'features/dashboard/LabelsDialog.tsx',
    path: 'orders.setLabels',
    at: '/dashboard',
    beside: { 'orders.list': { data: [row()] } },
    reach: async () => {
      await choose(serverName, '设置标签')
      await field('标签').fill('生产 网站')
    },
    send: inDialog('保存'),
    told: dialog,
    kept: [[field('标签'), '生产 网站']],
  },
  {
    as: 'customer',
    from: 'features/console/RenameDialog.tsx',
    path: 'orders.renameServer',
    at: consoleAddress,
    beside: consoleReads,
    reach: async () => {
      await page.getByRole('button', { name: '修改服务器名称' }).click()
      await field('服务器名称').fill('我的网站')
    },
    send: inDialog('保存'),
    told: dialog,
    kept: [[field('服务器名称'), '我的网站']],
  },
  {
    as: 'customer',
    from: 'servers/ReinstallConfirm.tsx',
    path: 'console.reinstall',
    foreign: '服务器响应格式错误',
    at: consoleAddress,
    beside: consoleReads,
    reach: async () => {
      await page.getByLabelText('操作系统').selectOptions('Debian')
      await pressOn('重装系统')
      await question.getByRole('textbox').fill(serverName)
    },
    send: inQuestion('确认重装系统'),
    told: question,
    kept: [[question.getByRole('textbox'), serverName]],
    keyed: true,
  },
]

const rescues = {
  as: 'customer',
  from: 'features/console/RescueQuestions.tsx',
  foreign: '服务器响应格式错误',
  told: question,
  keyed: true,
} as const
const onRescue: Act[] = [
  {
    ...rescues,
    path: 'rescue.enter',
    at: `${consoleAddress}?part=security`,
    beside: consoleReads,
    reach: () => pressOn('进入救援模式'),
    send: inQuestion('确认进入救援模式'),
  },
  {
    ...rescues,
    path: 'rescue.leave',
    at: consoleAddress,
    beside: {
      ...consoleReads,
      'console.details': { data: details({ rescue: { offered: true, since: inDays(-1) } }) },
    },
    reach: () => pressOn('退出救援模式'),
    send: inQuestion('确认退出救援模式'),
  },
]

const isos = { ...rescues, from: 'features/console/IsoQuestions.tsx' } as const
const onIsos: Act[] = [
  {
    ...isos,
    path: 'iso.insert',
    at: `${consoleAddress}?part=disk`,
    beside: {
      ...consoleReads,
      'snapshots.list': { data: [] },
      'iso.list': { data: [{ id: id(75), name: 'Debian 12' }] },
    },
    reach: async () => {
      await pressOn('插入光盘')
      await question.getByLabelText('光盘').selectOptions('Debian 12')
    },
    send: inQuestion('插入并重启'),
  },
  {
    ...isos,
    path: 'iso.eject',
    at: consoleAddress,
    beside: { ...consoleReads, 'console.details': { data: details({ iso: insertedIso }) } },
    reach: () => pressOn('弹出光盘'),
    send: inQuestion('确认弹出光盘'),
  },
]
export const customersActs = [
  ...signing,
  ...account,
  ...bought,
  ...paid,
  ...machine,
  ...onSnapshots,
  ...onBackups,
  ...onRescue,
  ...onIsos,
  onReverseNames,
  onFirewall,
]
