/** The later of two saves reads what differs, and may take it over. */
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, dialog, field, inDialog, inQuestion, notices, pressOn, question } from '../../testing/act'
import {
  category,
  group,
  host,
  image,
  incident,
  pool,
  priceGroup,
  server,
  settingsReads,
  site,
} from '../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, open } from '../../testing/screen'
import type { CallPath, Script } from '../../testing/script'
import { id, inDays, pageOf } from '../../testing/things'

interface Case {
  at: string
  button: string
  save: CallPath
  before: Script
  after: Script
  mine: Record<string, string>
  told: Record<string, string>
  taken: string[]
  sent: object
  saved: string
}

const url = 'https://mirror.example.com/debian-12.qcow2'
const theirCategory = { ...category, description: '另一位写的', version: 2 }
const theirPool = { ...pool, bridge: 'br121', dns: ['119.29.29.29'], version: 2 }
const theirImage = { ...image, url, sha256: 'a'.repeat(64), minDiskGb: 20, version: 2 }
const theirGroup = { ...group, placement: 'pack', version: 2 } as const
const theirServer = { ...server, memory: 8, status: 'ONLINE', version: 2 } as const
const theirHost = { ...host, cpuOvercommit: 2, groups: [], version: 2 }
const theirPriceGroup = priceGroup({ monthlyPrice: 88, description: null, isActive: false, version: 2 })
const groups: Script = { 'catalogue.groups': { data: pageOf(group) } }
const pools: Script = { 'pools.list': { data: pageOf(pool) } }
const categories: Script = { 'catalogue.categories': { data: pageOf(category) } }

const cases: Case[] = [
  {
    at: '/categories',
    button: `编辑 ${category.name}`,
    save: 'catalogue.updateCategory',
    before: categories,
    after: {
      'catalogue.categories': { data: pageOf(theirCategory) },
      'catalogue.updateCategory': { data: { id: category.id } },
    },
    mine: { 描述: '我写的', 排序: '7' },
    told: { 描述: '另一位写的', 排序: String(category.sortOrder) },
    taken: ['描述'],
    sent: { description: '另一位写的', sortOrder: 7, version: 2 },
    saved: '服务器分类已更新',
  },
  {
    at: '/groups',
    button: `编辑 ${group.name}`,
    save: 'catalogue.updateGroup',
    before: { ...categories, 'catalogue.groups': { data: pageOf(group) } },
    after: {
      ...categories,
      'catalogue.groups': { data: pageOf(theirGroup) },
      'catalogue.group': { data: theirGroup },
      'catalogue.updateGroup': { data: { id: group.id } },
    },
    mine: { 排序: '7' },
    told: { 放置策略: '先放满一台宿主机', 排序: String(group.sortOrder) },
    taken: ['放置策略'],
    sent: { placement: 'pack', sortOrder: 7, version: 2 },
    saved: '服务器分组已更新',
  },
  {
    at: '/ip-pools',
    button: `编辑 ${pool.name}`,
    save: 'pools.update',
    before: { 'pools.list': { data: pageOf(pool) } },
    after: {
      'pools.list': { data: pageOf(theirPool) },
      'pools.get': { data: theirPool },
      'pools.update': { data: null },
    },
    mine: { 网关: '203.0.113.254' },
    told: { 网关: '203.0.113.1', DNS: '119.29.29.29', 网桥: 'br121' },
    taken: ['DNS', '网桥'],
    sent: { gateway: '203.0.113.254', dns: ['119.29.29.29'], bridge: 'br121', version: 2 },
    saved: 'IP 池已更新',
  },
  {
    at: '/images',
    button: `编辑 ${image.osName} ${image.osVersion}`,
    save: 'images.update',
    before: { 'images.list': { data: pageOf(image) } },
    after: {
      'images.list': { data: pageOf(theirImage) },
      'images.get': { data: theirImage },
      'images.update': { data: null },
    },
    mine: { 排序: '7' },
    told: { 下载地址: url, 校验和: 'a'.repeat(64), 最小磁盘: '20 GB', 排序: '1' },
    taken: ['下载地址', '校验和', '最小磁盘'],
    sent: { url, sha256: 'a'.repeat(64), minDiskGb: 20, sortOrder: 7, version: 2 },
    saved: '镜像已更新',
  },
  {
    at: '/servers',
    button: `编辑 ${server.ip ?? ''}`,
    save: 'servers.update',
    before: { ...groups, 'servers.list': { data: pageOf(server) } },
    after: {
      ...groups,
      'servers.list': { data: pageOf(theirServer) },
      'servers.get': { data: theirServer },
      'servers.update': { data: theirServer },
    },
    mine: { 磁盘: '80' },
    told: { 状态: '在线', 内存: '8', 磁盘: '40' },
    taken: ['内存'],
    sent: { memory: 8, diskSpace: 80, status: 'OFFLINE', version: 2 },
    saved: '服务器已更新',
  },
  {
    at: '/hosts',
    button: `编辑 ${host.name}`,
    save: 'hosts.update',
    before: { ...groups, ...pools, 'hosts.list': { data: pageOf(host) } },
    after: {
      ...groups,
      ...pools,
      'hosts.list': { data: pageOf(theirHost) },
      'hosts.get': { data: theirHost },
      'hosts.update': { data: null },
    },
    mine: { 保留内存: '4096' },
    told: { 服务器分组: '无', 'CPU 超售比': '2', 保留内存: '2048' },
    taken: ['服务器分组', 'CPU 超售比'],
    sent: { groupIds: [], cpuOvercommit: 2, reservedMemoryMb: 4096, version: 2 },
    saved: '宿主机已更新',
  },
  {
    at: '/price-groups',
    button: `编辑 ${priceGroup().name}`,
    save: 'catalogue.updatePriceGroup',
    before: { ...groups, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } },
    after: {
      ...groups,
      'catalogue.priceGroups': { data: pageOf(theirPriceGroup) },
      'catalogue.priceGroup': { data: theirPriceGroup },
      'catalogue.updatePriceGroup': { data: { id: priceGroup().id } },
    },
    mine: { 每年: '900' },
    told: { 描述: '空', 启用: '否', 每月价格: '88', 每年价格: String(priceGroup().annualPrice) },
    taken: ['每月价格'],
    sent: { monthlyPrice: 88, annualPrice: 900, isActive: true, version: 2 },
    saved: '价格组已更新',
  },
  {
    at: '/settings',
    button: '编辑联系方式',
    save: 'site.save',
    before: settingsReads,
    after: {
      ...settingsReads,
      'site.get': { data: { ...site, qq: '987654321', phone: '400-1', company: '别家', version: 2 } },
      'site.save': { data: null },
    },
    mine: { 微信: 'ours' },
    told: { 'QQ 群': '987654321', 微信: 'cloud-support', 电话: '400-1' },
    taken: ['QQ 群', '电话'],
    sent: { qq: '987654321', wechat: 'ours', phone: '400-1', version: 2 },
    saved: '网站设置已更新',
  },
]

test.each(cases)('at $at the later of two saves reads what the first changed, and may take it over', async (one) => {
  await open(one.at, { ...one.before, [one.save]: { refused: 'CONFLICT' } }, 'admin')
  await pressOn(one.button)
  for (const [label, typed] of Object.entries(one.mine)) await field(label).fill(typed)
  await answer({ ...one.after, [one.save]: { refused: 'CONFLICT' } })
  await inDialog('保存').click()
  await expect.element(dialog.getByText('数据已被修改，请刷新后重试')).toBeVisible()
  const told = page.getByRole('list', { name: '已被修改的字段' }).getByRole('listitem')
  const differing = () => told.elements().map((item) => item.textContent)
  await expect.poll(differing).toEqual(Object.entries(one.told).map(([label, value]) => `${label}最新值 ${value}采用`))
  await expectSoundEverywhere()

  for (const label of one.taken) await inDialog(`采用${label}的最新值`).click()
  await expect.poll(() => told.elements().length).toBe(Object.keys(one.told).length - one.taken.length)
  await answer(one.after)
  await inDialog('保存').click()
  await expect.element(notices.getByText(one.saved)).toBeVisible()
  expect(await callsOf(one.save)).toEqual([expect.objectContaining(one.sent)])
})

test('a save whose answer was lost is not taken for another operator’s when it is sent again', async () => {
  const saved = { ...category, description: '我写的', version: 2 }
  await open('/categories', { ...categories, 'catalogue.updateCategory': 'lost' }, 'admin')
  await pressOn(`编辑 ${category.name}`)
  await field('描述').fill('我写的')
  await inDialog('保存').click()
  await expect.element(dialog.getByText('网络连接错误')).toBeVisible()
  const after: Script = { 'catalogue.categories': { data: pageOf(saved) } }
  await answer({ ...after, 'catalogue.updateCategory': { refused: 'CONFLICT' } })
  await inDialog('保存').click()
  await expect.element(dialog.getByText('上次提交没有收到答复，可能已经保存')).toBeVisible()
  await expect.element(dialog.getByText('您填写的内容与最新数据一致，再次保存即可。')).toBeVisible()
  expect(dialog.getByText('数据已被修改').elements()).toEqual([])
  await expectSoundEverywhere()
  await field('排序').fill('7')
  await expect.element(dialog.getByText('最新数据与您现在填写的不同')).toBeVisible()
  expect(dialog.getByText('其他管理员').elements()).toEqual([])
  await answer({ ...after, 'catalogue.updateCategory': { data: { id: category.id } } })
  await inDialog('保存').click()
  await expect.element(notices.getByText('服务器分类已更新')).toBeVisible()
  expect(await callsOf('catalogue.updateCategory')).toMatchObject([{ description: '我写的', sortOrder: 7, version: 2 }])
})

test('a record that was created without an answer is told of when its name is refused as taken', async () => {
  await open('/categories', { ...categories, 'catalogue.createCategory': 'lost' }, 'admin')
  await pressOn('新增')
  await field('名称').fill('裸金属')
  await inDialog('保存').click()
  await expect.element(dialog.getByText('网络连接错误')).toBeVisible()
  await answer({ ...categories, 'catalogue.createCategory': { refused: 'NAME_TAKEN' } })
  await inDialog('保存').click()
  await expect.element(dialog.getByText('名称已存在')).toBeVisible()
  await expect.element(dialog.getByText('上次提交没有收到答复，可能已经保存，请在列表中查看')).toBeVisible()
  await expectSoundEverywhere()
})

const theirDiscount = priceGroup({ hasDiscount: true, discountPercentage: 20, monthlyPrice: 40, version: 2 })

test('of two discounts the later reads the first, at the prices of now, before it takes its place', async () => {
  const reads: Script = { ...groups, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } }
  await open('/price-groups', { ...reads, 'catalogue.applyDiscount': { refused: 'CONFLICT' } }, 'admin')
  await choose(priceGroup().name, '应用折扣')
  await field('折扣百分比').fill('70')
  await answer({
    ...groups,
    'catalogue.priceGroups': { data: pageOf(theirDiscount) },
    'catalogue.priceGroup': { data: theirDiscount },
    'catalogue.applyDiscount': [{ refused: 'CONFLICT' }, { data: theirDiscount }],
  })
  await inDialog('应用折扣').click()
  const told = page.getByRole('list', { name: '已被修改的字段' }).getByRole('listitem')
  await expect.element(told).toHaveTextContent('折扣百分比最新值 20采用')
  await expect.element(dialog.getByText('¥12.00')).toBeVisible()
  await expectSoundEverywhere()
  await inDialog('应用折扣').click()
  await expect.element(notices.getByText('折扣已应用')).toBeVisible()
  expect(await callsOf('catalogue.applyDiscount')).toMatchObject([
    { version: 1 },
    { discountPercentage: 70, version: 2 },
  ])
})

test('no discount is taken away that was set while the question was open, before it is shown', async () => {
  const seen = priceGroup({ hasDiscount: true, discountPercentage: 15 })
  await open('/price-groups', { ...groups, 'catalogue.priceGroups': { data: pageOf(seen) } }, 'admin')
  await choose(seen.name, '恢复原价')
  await expect.element(question.getByText('的折扣（15%）将被关闭')).toBeVisible()
  await answer({
    ...groups,
    'catalogue.priceGroups': { data: pageOf(theirDiscount) },
    'catalogue.priceGroup': { data: theirDiscount },
    'catalogue.restorePrices': [{ refused: 'CONFLICT' }, { data: priceGroup() }],
  })
  await inQuestion('确认恢复原价').click()
  await expect.element(question.getByText('的折扣（20%）将被关闭')).toBeVisible()
  await expect.element(question.getByText('其他管理员刚修改了此价格组')).toBeVisible()
  await expectSoundEverywhere()
  await inQuestion('确认恢复原价').click()
  await expect.element(notices.getByText('已恢复原价')).toBeVisible()
  expect(await callsOf('catalogue.restorePrices')).toMatchObject([{ version: seen.version }, { version: 2 }])
})

test('an incident’s update that another came before keeps its text, reads what the other told, and is published after it', async () => {
  const theirs = { id: id(134), at: inDays(-0.01), state: 'resolved', body: '线路已切换，全部恢复。' } as const
  const resolved = { ...incident, endsAt: inDays(-0.01), updates: [theirs, ...incident.updates] }
  await open('/incidents', { ...groups, 'status.incidents': { data: pageOf(incident) } }, 'admin')
  await pressOn(`补充进展 ${incident.title}`)
  await field('内容').fill('正在切换线路。')
  await answer({
    ...groups,
    'status.incidents': { data: pageOf(resolved) },
    'status.update': [{ refused: 'CONFLICT' }, { data: null }],
  })
  await inDialog('发布').click()
  await expect.element(dialog.getByText('线路已切换，全部恢复。')).toBeVisible()
  await expect.element(dialog.getByText('您填写的内容仍在，核对后可再次发布。')).toBeVisible()
  await expect.element(field('内容')).toHaveValue('正在切换线路。')
  await expectSoundEverywhere()
  await inDialog('发布').click()
  await expect.element(notices.getByText('进展已发布')).toBeVisible()
  expect(await callsOf('status.update')).toMatchObject([
    { after: incident.updates[0]?.id },
    { after: theirs.id, body: '正在切换线路。' },
  ])
})

test('an incident’s update whose answer was lost is not taken for another operator’s when its text is sent again, changed', async () => {
  const mine = { id: id(135), at: inDays(-0.01), state: 'identified', body: '正在切换线路。' } as const
  const updated = { ...incident, updates: [mine, ...incident.updates] }
  await open(
    '/incidents',
    { ...groups, 'status.incidents': { data: pageOf(incident) }, 'status.update': 'lost' },
    'admin',
  )
  await pressOn(`补充进展 ${incident.title}`)
  await field('内容').fill(mine.body)
  await inDialog('发布').click()
  await inDialog('不再等待').click()
  await expect.element(dialog.getByText('网络连接错误，结果未知')).toBeVisible()
  await answer({ ...groups, 'status.incidents': { data: pageOf(updated) }, 'status.update': { refused: 'CONFLICT' } })
  await field('内容').fill('正在切换线路，预计十分钟。')
  await inDialog('发布').click()
  await expect.element(dialog.getByText('上次提交没有收到答复，可能已经发布。最新进展')).toBeVisible()
  await expect.element(dialog.getByText(mine.body)).toBeVisible()
  expect(dialog.getByText('其他管理员').elements()).toEqual([])
  await expectSoundEverywhere()
})

test('whether a server is for sale is, after a conflict, what the second save says, and not what it was when its form was opened', async () => {
  const seen = { ...server, isSold: true }
  const theirs = { ...server, isSold: false, version: 2 }
  await open('/servers', { ...groups, 'servers.list': { data: pageOf(seen) } }, 'admin')
  await pressOn(`编辑 ${server.ip ?? ''}`)
  await field('网络速度').fill('2 Gbps')
  await answer({
    ...groups,
    'servers.list': { data: pageOf(theirs) },
    'servers.get': { data: theirs },
    'servers.update': [{ refused: 'CONFLICT' }, { data: theirs }],
  })
  await inDialog('保存').click()
  const told = page.getByRole('list', { name: '已被修改的字段' })
  await expect.element(told.getByText('已售出最新值 否')).toBeVisible()
  await inDialog('保存').click()
  await expect.element(notices.getByText('服务器已更新')).toBeVisible()
  expect((await callsOf('servers.update')).at(-1)).toMatchObject({ isSold: true, version: 2 })
})

test('a machine that was sold and left while its form was open is not for sale again because another saved, too', async () => {
  const theirs = { ...server, isSold: true, needsCleaning: true, version: 2 }
  await open('/servers', { ...groups, 'servers.list': { data: pageOf(server) } }, 'admin')
  await pressOn(`编辑 ${server.ip ?? ''}`)
  await field('网络速度').fill('2 Gbps')
  await answer({
    ...groups,
    'servers.list': { data: pageOf(theirs) },
    'servers.get': { data: theirs },
    'servers.update': [{ refused: 'CONFLICT' }, { data: theirs }],
  })
  await inDialog('保存').click()
  await expect.element(dialog.getByText('上一个订单已结束，机器待清理')).toBeVisible()
  await expect.element(page.getByRole('switch', { name: '已售出' })).toBeChecked()
  await expectSoundEverywhere()
  await inDialog('保存').click()
  await expect.element(notices.getByText('服务器已更新')).toBeVisible()
  expect((await callsOf('servers.update')).at(-1)).not.toHaveProperty('isSold')
})

test('that every host fetches an image again is said of what another saved meanwhile', async () => {
  const seen = { ...image, url, sha256: 'a'.repeat(64) }
  const theirs = { ...seen, sha256: 'b'.repeat(64), version: 2 }
  await open('/images', { 'images.list': { data: pageOf(seen) } }, 'admin')
  await pressOn(`编辑 ${image.osName} ${image.osVersion}`)
  await field('排序').fill('7')
  const again = dialog.getByText('保存后各宿主机会重新核对并下载此文件')
  expect(again.elements()).toEqual([])
  await answer({
    'images.list': { data: pageOf(theirs) },
    'images.get': { data: theirs },
    'images.update': { refused: 'CONFLICT' },
  })
  await inDialog('保存').click()
  await expect.element(again).toBeVisible()
  await expectSoundEverywhere()
  await inDialog('采用校验和的最新值').click()
  await expect.element(again).not.toBeInTheDocument()
})

test('a discount’s moment that another saved keeps its time of day where it is taken over', async () => {
  const seen = priceGroup({ hasDiscount: true, discountPercentage: 20 })
  const theirs = { ...seen, discountStartTime: '2099-06-01T02:30:00.000Z', version: 2 }
  const reads: Script = { ...groups, 'catalogue.priceGroups': { data: pageOf(seen) } }
  await open('/price-groups', { ...reads, 'catalogue.updatePriceGroup': { refused: 'CONFLICT' } }, 'admin')
  await pressOn(`编辑 ${seen.name}`)
  await field('每年').fill('900')
  await answer({
    ...groups,
    'catalogue.priceGroups': { data: pageOf(theirs) },
    'catalogue.priceGroup': { data: theirs },
    'catalogue.updatePriceGroup': [{ refused: 'CONFLICT' }, { data: { id: seen.id } }],
  })
  await inDialog('保存').click()
  await inDialog('采用开始日期的最新值').click()
  await inDialog('保存').click()
  await expect.element(notices.getByText('价格组已更新')).toBeVisible()
  expect((await callsOf('catalogue.updatePriceGroup')).at(-1)).toMatchObject({
    discountStartTime: theirs.discountStartTime,
    version: 2,
  })
})

test('in a form longer than the window, what a save was refused for is seen at once', async () => {
  const reads: Script = { ...groups, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } }
  await open('/price-groups', { ...reads, 'catalogue.updatePriceGroup': { refused: 'CONFLICT' } }, 'admin')
  await page.viewport(1440, 600)
  await pressOn(`编辑 ${priceGroup().name}`)
  await answer({
    ...reads,
    'catalogue.priceGroup': { data: theirPriceGroup },
    'catalogue.updatePriceGroup': [
      { refused: 'CONFLICT' },
      { refused: 'INVALID_INPUT', errors: { description: '太长了' } },
    ],
  })
  await inDialog('保存').click()
  await expect.element(page.getByRole('list', { name: '已被修改的字段' })).toBeInViewport()
  await inDialog('保存').click()
  await expect.element(dialog.getByText('太长了')).toBeInViewport()
  await expect.element(field('描述')).toHaveFocus()
})
