import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as text from '@vps/shared/text'
import { choose, dialog, field, inDialog, notices, pressOn } from '../../testing/act'
import {
  anyOrder,
  category,
  group,
  host,
  image,
  incident,
  pool,
  priceGroup,
  refund,
  server,
  settingsReads,
  user,
  userAddress,
  userReads,
} from '../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, open } from '../../testing/screen'
import type { CallPath, Script } from '../../testing/script'
import { id, pageOf } from '../../testing/things'

interface Form {
  at: string
  beside: Script
  by: string
  save?: string
  sends: CallPath
  wrong: { typed: Record<string, string>; said: string[] }[]
}

const groups: Script = { 'catalogue.groups': { data: pageOf(group) } }
const categories: Script = { 'catalogue.categories': { data: pageOf(category) } }

describe('a form in which nothing can be chosen yet', () => {
  const none: Script = {
    'catalogue.categories': { data: pageOf() },
    'catalogue.groups': { data: pageOf() },
    'catalogue.priceGroups': { data: pageOf() },
    'servers.list': { data: pageOf() },
    'hosts.list': { data: pageOf() },
    'pools.list': { data: pageOf() },
  }
  test.each([
    ['/groups', '新增', { 新增服务器分类: '/categories' }],
    ['/price-groups', '新增', { 新增服务器分组: '/groups' }],
    ['/servers', '新增', { 新增服务器分组: '/groups' }],
    ['/hosts', '接入宿主机', { 新增服务器分组: '/groups', '新增IP 池': '/ip-pools' }],
  ])('says what must be there first, and leads there: %s', async (at, by, links) => {
    await open(at, none, 'admin')
    await page.getByRole('main').getByRole('button', { name: by, exact: true }).first().click()
    for (const [name, href] of Object.entries(links))
      await expect.element(dialog.getByRole('link', { name })).toHaveAttribute('href', href)
    await expectSoundEverywhere()
  })
})

const forms: Form[] = [
  {
    at: '/categories',
    beside: categories,
    by: '新增',
    sends: 'catalogue.createCategory',
    wrong: [
      { typed: {}, said: ['此字段为必填项'] },
      { typed: { 名称: '裸金属', 排序: '-1' }, said: ['排序不能小于0'] },
    ],
  },
  {
    at: '/groups',
    beside: { ...groups, ...categories },
    by: '新增',
    sends: 'catalogue.createGroup',
    wrong: [{ typed: { 名称: '东京' }, said: ['请选择分类'] }],
  },
  {
    at: '/servers',
    beside: { ...groups, 'servers.list': { data: pageOf(server) } },
    by: '新增',
    sends: 'servers.create',
    wrong: [{ typed: { IP地址: '300.1.1.1' }, said: ['IP地址格式不正确', '此字段为必填项'] }],
  },
  {
    at: '/ip-pools',
    beside: { 'pools.list': { data: pageOf(pool) } },
    by: '新增',
    sends: 'pools.create',
    wrong: [
      {
        typed: { 名称: '备用', 网段: '10.1.2.0/24', 结束地址: '10.1.2.x', 网桥: 'vlan 120' },
        said: ['IP地址格式不正确', '网桥名称格式不正确'],
      },
    ],
  },
  {
    at: '/images',
    beside: { 'images.list': { data: pageOf(image) } },
    by: '新增',
    sends: 'images.create',
    wrong: [
      { typed: { 系统名称: 'Arch', 版本: '1', 文件名: '../etc/passwd' }, said: ['文件名只能包含'] },
      {
        typed: { 文件名: 'arch.part', 下载地址: 'ftp://mirror.example.com/arch.qcow2' },
        said: ['文件名需以 .qcow2、.img、.raw 或 .iso 结尾', '请输入以 http:// 或 https:// 开头的下载地址'],
      },
      {
        typed: { 文件名: 'arch.qcow2', 下载地址: 'https://mirror.example.com/arch.qcow2' },
        said: ['使用下载地址时必须填写 SHA-256 校验和'],
      },
    ],
  },
  {
    at: '/hosts',
    beside: { ...groups, 'hosts.list': { data: pageOf(host) }, 'pools.list': { data: pageOf(pool) } },
    by: '接入宿主机',
    save: '生成接入命令',
    sends: 'hosts.create',
    wrong: [{ typed: { 名称: 'hk-2', 'CPU 超售比': '99' }, said: ['超售比需为1-16'] }],
  },
  {
    at: userAddress,
    beside: userReads,
    by: '调整余额',
    save: '确认调整',
    sends: 'wallet.adjust',
    wrong: [{ typed: { 调整金额: '12.345', 原因: '补偿停机' }, said: ['金额最多保留两位小数'] }],
  },
]

describe.each(forms)('the form of $sends', ({ at, beside, by, save = '保存', sends, wrong }) => {
  test('says at each field what is wrong, and sends nothing', async () => {
    await open(at, beside, 'admin')
    await pressOn(by)
    for (const { typed, said } of wrong) {
      for (const [label, value] of Object.entries(typed)) await field(label).fill(value)
      await inDialog(save).click()
      for (const fault of said) await expect.element(dialog.getByText(fault).first()).toBeVisible()
    }
    await expectSoundEverywhere()
    expect(await callsOf(sends)).toEqual([])
  })
})

describe('a refused save leads the focus to the first field at fault', () => {
  test.each([
    ['a choice above what is typed', {}],
    ['a choice alone', { 名称: '东京' }],
  ])('%s', async (_what, typed) => {
    await open('/groups', { ...groups, ...categories }, 'admin')
    await pressOn('新增')
    for (const [label, value] of Object.entries(typed)) await field(label).fill(value)
    await inDialog('保存').click()
    await expect.element(dialog.getByLabelText('所属分类')).toHaveFocus()
  })

  const many = Array.from({ length: 20 }, (_, n) => ({ ...group, id: id(500 + n), region: `地域 ${n}` }))
  test.each([
    ['boxes, by the first', [group], 'checkbox'],
    ['many boxes, by what finds one', many, 'searchbox'],
  ] as const)('%s', async (_what, there, reached) => {
    const beside = { 'catalogue.groups': { data: pageOf(...there) }, 'status.incidents': { data: pageOf(incident) } }
    await open('/incidents', beside, 'admin')
    await pressOn('发布服务事件')
    await field('标题').fill('网络抖动')
    await field('内容').fill('正在排查')
    const first = dialog.getByRole(reached).first()
    await expect.element(first).toBeVisible()
    await inDialog('发布').click()
    await expect.element(first).toHaveFocus()
  })
})

describe('a refused save speaks', () => {
  const spoken = () => [...dialog.element().querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent)
  async function saveFrom(name: string, typed: string): Promise<void> {
    await open('/categories', categories, 'admin')
    await pressOn('新增')
    await field(name).fill(typed)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => document.querySelectorAll('[aria-invalid="true"]').length).toBeGreaterThan(0)
  }

  test('where the focus is and stays', async () => {
    await saveFrom('名称', '')
    await expect.element(field('名称')).toHaveFocus()
    expect(spoken()).toEqual([text.required])
  })

  test('not beside the field that it leads to, which is read with what is wrong', async () => {
    await saveFrom('排序', '1')
    await expect.element(field('名称')).toHaveFocus()
    expect(spoken()).toEqual([])
  })
})

/** Of fields, by their names: those that carry the mark of what may not be left empty. */
const isMarked = (name: Element | null) =>
  [name, name?.firstElementChild].some((part) => part && getComputedStyle(part, '::before').content.startsWith('"* "'))
const nameOf = ({ id }: Element) => document.querySelector(`label[for="${id}"]`)
const refusedNames = () => [
  ...[...dialog.element().querySelectorAll('[aria-invalid="true"]')].map(nameOf),
  ...dialog.element().querySelectorAll('fieldset[aria-describedby] > legend'),
]

const others: Omit<Form, 'sends' | 'wrong'>[] = [
  { at: '/price-groups', beside: { ...groups, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } }, by: '新增' },
  {
    at: '/announcements',
    beside: { ...groups, 'announcements.list': { data: pageOf() } },
    by: '发布公告',
    save: '发布',
  },
  { at: '/incidents', beside: { ...groups, 'status.incidents': { data: pageOf() } }, by: '发布服务事件', save: '发布' },
  { at: `${userAddress}?part=notes`, beside: userReads, by: '写备注' },
  { at: '/settings', beside: settingsReads, by: '编辑备份存储' },
]
test.each([...forms, ...others])('$by at $at marks each field that may not be left empty', async (form) => {
  await open(form.at, form.beside, 'admin')
  await page.getByRole('button', { name: form.by, exact: true }).first().click()
  await expect.element(dialog.getByRole('textbox').first()).toBeVisible()
  for (const box of dialog.getByRole('textbox').elements()) await page.elementLocator(box).fill('')
  await inDialog(form.save ?? '保存').click()
  await expect.poll(refusedNames).not.toEqual([])
  expect(
    refusedNames()
      .filter((name) => !isMarked(name))
      .map((name) => name?.textContent),
  ).toEqual([])
})

const refundReads: Script = { 'refunds.list': { data: pageOf(refund) } }
test.each([
  ['/refunds', refundReads, () => pressOn(`批准 ${refund.orderNumber}`), '处理说明', true],
  ['/users', { 'users.list': { data: pageOf(user) } }, () => choose(user.username, '停用账户'), '原因', true],
  [
    '/all-orders',
    { 'orders.all': { data: pageOf(anyOrder()) } },
    () => choose(`订单 ${anyOrder().orderNumber}`, '暂停'),
    '原因',
    true,
  ],
  [
    '/all-orders',
    { 'orders.all': { data: pageOf(anyOrder({ status: 'SUSPENDED' })) } },
    () => choose(`订单 ${anyOrder().orderNumber}`, '恢复'),
    '原因',
    false,
  ],
] as const)(
  'a reason asked at %s is marked where it may not be left empty',
  async (at, reads, reach, label, marked) => {
    await open(at, reads, 'admin')
    await reach()
    await expect.element(field(label)).toBeVisible()
    expect(isMarked(nameOf(field(label).element()))).toBe(marked)
  },
)

test('what only the server finds wrong is said at its field, too', async () => {
  const refused = { refused: 'INVALID_INPUT', errors: { lastAddress: '地址不在网段内' } } as const
  await open('/ip-pools', { 'pools.list': { data: pageOf(pool) }, 'pools.create': refused }, 'admin')
  await pressOn('新增')
  for (const [label, typed] of Object.entries({ 名称: '备用', 网段: '10.1.2.0/24', 结束地址: '10.1.3.9' }))
    await field(label).fill(typed)
  await inDialog('保存').click()
  await expect.element(dialog.getByText('地址不在网段内')).toBeVisible()
  await expect.element(field('结束地址')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field('结束地址')).toHaveValue('10.1.3.9')
})

test('a balance can be lowered on an iPhone, whose keys for numbers have no minus', async () => {
  await open(userAddress, userReads, 'admin')
  await pressOn('调整余额')
  await expect.element(field('调整金额')).toHaveAttribute('inputmode', 'text')
})

test('an adjustment sends the balance that it showed; refused, it shows the one that is there, and what was typed stays', async () => {
  const script: Script = { ...userReads, 'wallet.adjust': { refused: 'STATE_CHANGED' } }
  await open(userAddress, script, 'admin')
  await pressOn('调整余额')
  await field('调整金额').fill('10')
  await field('原因').fill('补偿停机')
  const fresh = { ...userReads, 'users.get': { data: { ...user, balance: 1010 } } }
  await answer({ ...script, ...fresh })
  await inDialog('确认调整').click()
  await expect.element(dialog.getByText('状态已变化')).toBeVisible()
  await expect.element(dialog.getByText('¥1,020.00')).toBeVisible()
  await expect.element(field('原因')).toHaveValue('补偿停机')
  expect(await callsOf('wallet.adjust')).toMatchObject([{ balance: 1000 }])
  await answer({ ...fresh, 'wallet.adjust': { data: null } })
  await inDialog('确认调整').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await callsOf('wallet.adjust')).toMatchObject([{ balance: 1010 }])
})

test('a group that is ticked and was deleted by another operator can be taken away: with it every save is refused', async () => {
  const gone = { id: id(98), name: '已撤下的分组' }
  const seen = { ...host, groups: [...host.groups, gone] }
  await open(
    '/hosts',
    { ...groups, 'hosts.list': { data: pageOf(seen) }, 'pools.list': { data: pageOf(pool) } },
    'admin',
  )
  await pressOn(`编辑 ${host.name}`)
  const box = dialog.getByRole('checkbox', { name: '该项已被删除' })
  await expect.element(box).toBeChecked()
  await expectSoundEverywhere()
  await box.click()
  await expect.element(box).not.toBeInTheDocument()
  await answer({
    ...groups,
    'pools.list': { data: pageOf(pool) },
    'hosts.list': { data: pageOf(host) },
    'hosts.update': { data: null },
  })
  await inDialog('保存').click()
  await expect.element(notices.getByText('宿主机已更新')).toBeVisible()
  expect(await callsOf('hosts.update')).toMatchObject([{ groupIds: [group.id] }])
})

describe('the form of a price group', () => {
  const reads: Script = { ...groups, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } }
  const name = dialog.getByLabelText('名称', { exact: true }).first()

  test('is not sent under a name that another one has', async () => {
    await open('/price-groups', { ...reads, 'catalogue.priceGroupName': { data: { exists: true } } }, 'admin')
    await pressOn('新增')
    await name.fill('香港入门型')
    await expect.element(dialog.getByText('名称已存在')).toBeVisible()
    await expect.element(inDialog('保存')).toBeDisabled()
    await expectSoundEverywhere()
  })

  test('says why it is not saved where its sales page, edited elsewhere, is a fixed plan with a wrong value', async () => {
    const broken = priceGroup({
      salesPageHtml: '{"cpu_cores":2,"memory":4,"disk_space":40,"network_speed":100,"ip_count":0}',
    })
    await open(
      '/price-groups',
      {
        ...reads,
        'catalogue.priceGroups': { data: pageOf(broken) },
        'catalogue.priceGroupName': { data: { exists: false } },
      },
      'admin',
    )
    await pressOn(`编辑 ${broken.name}`)
    await inDialog('保存').click()
    await expect.element(dialog.getByRole('alert')).toMatchTextContent('结构化配置的 ip_count 不正确')
    await expect.element(dialog.getByRole('link', { name: '编辑销售页' })).toBeVisible()
    await expectSoundEverywhere()
  })

  test('wants a group, prices above zero and a discount that can begin, and shows what the discount makes of them', async () => {
    // On a month's last day the calendar opens at the next one, without today.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T04:00:00Z') })
    await open('/price-groups', { ...reads, 'catalogue.priceGroupName': { data: { exists: false } } }, 'admin')
    await pressOn('新增')
    await name.fill('上海入门型')
    await field('每小时').fill('0')
    await inDialog('保存').click()
    await expect.element(dialog.getByText('价格必须大于0').first()).toBeVisible()
    await expect.element(dialog.getByText('请选择服务器分组')).toBeVisible()
    await dialog.getByLabelText('服务器分组').selectOptions(group.id)
    const prices = { 每小时: '0.1', 每天: '2', 每月: '50', 每季: '140', 每半年: '270', 每年: '500' }
    for (const [label, price] of Object.entries(prices)) await field(label).fill(price)
    await page.getByRole('switch', { name: '启用折扣' }).click({ force: true })
    await field('折扣百分比').fill('101')
    await inDialog('保存').click()
    await expect.element(dialog.getByText('折扣不能超过100')).toBeVisible()
    await field('折扣百分比').fill('20')
    await expect.element(dialog.getByText('¥40.00')).toBeVisible()
    await dialog.getByRole('button', { name: '选择开始日期' }).click()
    await expect.element(page.getByRole('button', { name: /^今天/ })).toHaveAttribute('aria-disabled', 'true')
    await expectSoundEverywhere()
    await userEvent.keyboard('{Escape}')
    await field('开始日期').fill('2020-01-01')
    await inDialog('保存').click()
    await expect.element(dialog.getByText('开始日期必须晚于今天')).toBeVisible()
    await expectSoundEverywhere()
    expect(await callsOf('catalogue.createPriceGroup')).toEqual([])
  })
})

test('the form of a disc asks for nothing that only a system has, and wants a file that is one', async () => {
  await open('/images', { 'images.list': { data: pageOf(image) }, 'images.create': { data: null } }, 'admin')
  await pressOn('新增')
  await dialog.getByLabelText('用途').selectOptions('光盘')
  for (const label of ['最小磁盘', '用户名', '就绪方式'])
    expect(dialog.getByLabelText(label).elements(), label).toEqual([])
  await expect.element(dialog.getByText(/24 小时后自动弹出/)).toBeVisible()
  await expectSoundEverywhere()
  await field('名称').fill('Debian')
  await field('版本').fill('12 安装光盘')
  await field('文件名').fill('debian-12.qcow2')
  await inDialog('保存').click()
  await expect.element(dialog.getByText('光盘的文件名需以 .iso 结尾，其他用途的不能')).toBeVisible()
  await field('文件名').fill('debian-12.iso')
  await inDialog('保存').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await callsOf('images.create')).toMatchObject([{ kind: 'iso', file: 'debian-12.iso' }])
})

test('a system says what its machines are started with, and nothing else can want UEFI', async () => {
  await open('/images', { 'images.list': { data: pageOf(image) }, 'images.create': { data: null } }, 'admin')
  await pressOn('新增')
  await field('系统名称').fill('Windows Server')
  await field('版本').fill('2025')
  await field('文件名').fill('windows-2025.qcow2')
  await dialog.getByLabelText('固件').selectOptions('UEFI')
  await dialog.getByLabelText('用途').selectOptions('救援系统')
  await inDialog('保存').click()
  await expect.element(dialog.getByText('只有客户的系统可以使用 UEFI 固件')).toBeVisible()
  await expectSoundEverywhere()
  await dialog.getByLabelText('用途').selectOptions('客户的系统')
  await inDialog('保存').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await callsOf('images.create')).toMatchObject([{ kind: 'system', firmware: 'uefi' }])
})
