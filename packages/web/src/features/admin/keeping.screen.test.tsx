import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, dialog, field, inDialog, inQuestion, pressOn, question } from '../../testing/act'
import {
  anyOrder,
  category,
  finding,
  findingsReads,
  group,
  host,
  image,
  job,
  server,
  user,
} from '../../testing/operators-things'
import { expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { inDays, id, pageOf } from '../../testing/things'

const groupsOf = (one: typeof group): Script => ({ 'catalogue.groups': { data: pageOf(one) } })
const groups = groupsOf(group)
const jobs = (changes: Parameters<typeof job>[0]): Script => ({ 'jobs.list': { data: pageOf(job(changes)) } })
const theJob = `任务 重启 ${job().serverName}`
const theOrder = `订单 ${anyOrder().orderNumber}`

describe('what stands in the way is said before', () => {
  test.each([
    [
      '/categories',
      { 'catalogue.categories': { data: pageOf({ ...category, groupCount: 2 }) } },
      category.name,
      '下还有 2 个服务器分组',
    ],
    ['/groups', groupsOf({ ...group, serverCount: 3, priceGroupCount: 2 }), group.name, '还有 3 台服务器和 2 个价格组'],
  ] as [string, Script, string, string][])(
    'at %s nothing is deleted that others need',
    async (at, reads, name, why) => {
      await open(at, reads, 'admin')
      await pressOn(`删除 ${name}`)
      await expect.element(question.getByText(why)).toBeVisible()
      await expect.element(inQuestion('确认删除')).toBeDisabled()
      await expectSoundEverywhere()
    },
  )

  test.each([
    ['/jobs', jobs({ status: 'FAILED', finishedAt: inDays(0) }), theJob, ['立即执行', '接管', '取消任务']],
    ['/all-orders', { 'orders.all': { data: pageOf(anyOrder()) } }, theOrder, ['取消订单']],
  ] as [string, Script, string, string[]][])('at %s an act that cannot be is off', async (at, reads, name, off) => {
    await open(at, reads, 'admin')
    await page.getByRole('button', { name: `${name} 的更多操作` }).click()
    for (const entry of off)
      await expect
        .element(page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }))
        .toHaveAttribute('aria-disabled', 'true')
    await expectSoundEverywhere()
  })
})

describe('what is grave wants', () => {
  test.each([
    [
      'a machine’s address, to be deleted',
      '/servers',
      { ...groups, 'servers.list': { data: pageOf(server) } },
      () => pressOn(`删除 ${server.ip}`),
      '确认删除',
      server.ip,
    ],
    [
      'a host’s name, to be retired',
      '/hosts',
      {
        ...groups,
        'hosts.list': { data: pageOf({ ...host, servers: 0, status: 'ENROLLING' }) },
        'hosts.get': { data: { ...host, servers: 0, status: 'ENROLLING' } },
      },
      () => choose(host.name, '退役'),
      '确认退役',
      host.name,
    ],
    [
      'a reason, to suspend an order',
      '/all-orders',
      { 'orders.all': { data: pageOf(anyOrder()) } },
      () => choose(theOrder, '暂停'),
      '确认暂停',
      '收到滥用投诉',
    ],
    [
      'a reason, to suspend an account',
      '/users',
      { 'users.list': { data: pageOf(user) } },
      () => choose(user.username, '停用账户'),
      '确认停用',
      '滥用',
    ],
  ] as [string, string, Script, () => Promise<void>, string, string][])('%s', async (_, at, reads, ask, yes, typed) => {
    await open(at, reads, 'admin')
    await ask()
    await expect.element(inQuestion(yes)).toBeDisabled()
    await question.getByRole('textbox').fill(typed)
    await expect.element(inQuestion(yes)).toBeEnabled()
  })
})

test('the password of a machine is not given back to be edited', async () => {
  await open('/servers', { ...groups, 'servers.list': { data: pageOf(server) } }, 'admin')
  await pressOn(`编辑 ${server.ip}`)
  await expect.element(dialog.getByLabelText('密码', { exact: true })).toHaveValue('')
})

test('an image that no host has says so', async () => {
  const there = { hostId: host.id, hostName: host.name, alive: true, lastSeenAt: inDays(0) }
  const missing = { ...there, status: 'none', bytes: 0, totalBytes: null, error: null } as const
  await open('/images', { 'images.list': { data: pageOf({ ...image, hosts: [missing] }) } }, 'admin')
  await expect.element(main().getByText('没有宿主机拥有此文件')).toBeVisible()
})

test('an image for UEFI says so, and which host cannot boot it', async () => {
  const there = { hostId: host.id, hostName: host.name, alive: true, lastSeenAt: inDays(0) }
  const unable = { ...there, status: 'no-uefi', bytes: 0, totalBytes: null, error: null } as const
  await open('/images', { 'images.list': { data: pageOf({ ...image, firmware: 'uefi', hosts: [unable] }) } }, 'admin')
  await expect.element(main().getByText('UEFI · 用户 root')).toBeVisible()
  await expect.element(main().getByText('缺少 UEFI 固件')).toBeVisible()
  await expectSoundEverywhere()
})

test.each([
  ['degraded', 'hung-domain', '降级', /^没有响应的虚拟机，自 \d{4}/],
  ['away', 'libvirt-away', '宿主机异常', /^libvirt 没有响应，自 \d{4}/],
] as const)('a host that is %s says what ails it and since when', async (level, kind, label, since) => {
  const trouble = { level, kinds: [kind], since: inDays(-1) }
  await open('/hosts', { ...groups, 'hosts.list': { data: pageOf({ ...host, trouble }) } }, 'admin')
  await expect.element(main().getByText(label, { exact: true }).first()).toBeVisible()
  await expect.element(main().getByText(since)).toBeVisible()
  await expectSoundEverywhere()
})

describe('a finding', () => {
  test('of what is not ours gives a command to type and nothing to press', async () => {
    const foreign = { kind: 'stray-domain', subject: id(999), serverId: null, serverName: null, orderId: null } as const
    await open('/findings', findingsReads(foreign), 'admin')
    await pressOn(/^处理 /)
    await expect
      .element(dialog.getByRole('group', { name: '清理命令' }))
      .toMatchTextContent(`virsh undefine ${id(999)}`)
    expect(inDialog('清理').elements()).toEqual([])
    await expectSoundEverywhere()
  })

  test('of a whole host names it, and nowhere by its number', async () => {
    const ofHost = { kind: 'lost-servers', subject: host.id, serverId: null, serverName: null, orderId: null } as const
    await open('/findings', findingsReads(ofHost), 'admin')
    await expect.element(main().getByRole('cell', { name: host.name, exact: true })).toBeVisible()
    await pressOn(`处理 丢失的服务器 ${host.name}`)
    await expect.element(dialog.getByRole('link', { name: host.name })).toBeVisible()
    expect(document.body.textContent).not.toContain(host.id)
  })

  test('of a machine that is gone leads to its console, and says what a new definition does', async () => {
    await open('/findings', findingsReads({ kind: 'missing-domain' }), 'admin')
    await pressOn(/^处理 /)
    await expect.element(dialog).toMatchTextContent('磁盘还在时重新定义即可恢复')
    await expect.element(dialog.getByRole('link', { name: '打开服务器控制台' })).toBeVisible()
    await expectSoundEverywhere()
    await inDialog('重新定义').click()
    await expect.element(question).toMatchTextContent(finding().serverName ?? '')
    await expect.element(question).toMatchTextContent('使用它原有的磁盘，数据不变')
    await expectSoundEverywhere()
  })
})

test('a job is shown with what happened to it', async () => {
  const log = ['第 1 次尝试：开始', 'admin 接管', '第 2 次尝试：开始', '完成'].map((text) => ({ at: inDays(0), text }))
  await open('/jobs', jobs({ status: 'SUCCEEDED', attempt: 2, log, finishedAt: inDays(0) }), 'admin')
  await pressOn(/^详情 /)
  for (const { text } of log) await expect.element(dialog.getByRole('group', { name: '日志' })).toMatchTextContent(text)
  await expectSoundEverywhere()
})

test('a group chooses how its servers are placed', async () => {
  await open('/groups', { ...groups, 'catalogue.categories': { data: pageOf(category) } }, 'admin')
  await pressOn(`编辑 ${group.name}`)
  await expect.element(field('放置策略')).toHaveValue('spread')
  await field('放置策略').selectOptions('pack')
  await expect.element(field('放置策略')).toHaveValue('pack')
})

test('an entry of the audit log says who changed what from where', async () => {
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
    details: { name: group.name, before: { placement: 'spread' }, after: { placement: 'pack' } },
  } as const
  await open('/audit?action=group', { 'audit.list': { data: pageOf(entry) } }, 'admin')
  await expect.element(page.getByRole('row', { name: /编辑分组.*203\.0\.113\.99/ })).toBeVisible()
  await pressOn(/^查看 编辑分组 admin \d/)
  const change = dialog.getByRole('row', { name: '放置策略' })
  await expect.element(change).toMatchTextContent('放置策略spreadpack')
  await expectSoundEverywhere()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})
