import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, field, inDialog, inQuestion, notices, pressOn } from '../../testing/act'
import {
  address,
  addressTerm,
  category,
  group,
  host,
  image,
  job,
  pool,
  priceGroup,
  server,
} from '../../testing/operators-things'
import { answer, callsOf, expectSound, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { CallPath, RouterOutputs, Script } from '../../testing/script'
import { id, inDays, pageOf } from '../../testing/things'

const groups: Script = { 'catalogue.groups': { data: pageOf(group) } }
const categories: Script = { 'catalogue.categories': { data: pageOf(category) } }
const pools: Script = { 'pools.list': { data: pageOf(pool) } }

describe('the overview', () => {
  const days = Array.from({ length: 30 }, (_, n) => new Date(Date.UTC(2026, 9, 22 + n)).toISOString().slice(0, 10))
  const quiet: RouterOutputs['operations']['overview'] = {
    firstSale: null,
    incomeByDay: days.map((day) => ({ day, recharged: 0, spent: 0, refunded: 0 })),
    setUpByDay: days.map((day) => ({ day, count: 0, p50: null, p95: null })),
    failedJobsByDay: days.map((day) => ({ day, count: 0 })),
    ordersByStatus: {},
    groups: [],
    hosts: { total: 0, alive: 0, silent: 0, findings: 0 },
    failedJobs: 0,
    openJobs: 0,
    newUsers: 0,
    setUpSeconds: null,
    setUpSteps: [],
    pendingRefunds: 0,
  }
  const reads: Script = {
    'operations.overview': { data: quiet },
    'operations.latency': {
      data: { range: 'hour', stepSeconds: 60, points: [], current: { requests: 0, p50Ms: null, p95Ms: null } },
    },
    'hosts.list': { data: pageOf() },
  }

  test('of a shop in which nothing happened says so in each of its places', async () => {
    await open('/overview', reads, 'admin')
    for (const nothing of [
      '近 30 天没有新开通的服务器',
      '近 30 天没有失败的任务',
      '还没有启用的分组',
      '还没有宿主机',
      '这段时间内没有足够的请求。',
    ])
      await expect.element(main().getByText(nothing)).toBeVisible()
    await expectSound()
  })

  test('adds up twelve months where they are asked for, each with what it brought', async () => {
    const months = Array.from({ length: 12 }, (_, n) => ({
      month: `2026-${`${n + 1}`.padStart(2, '0')}`,
      recharged: 100.1,
      spent: 80.2,
      refunded: 10.1,
      setUps: 3,
      newUsers: 2,
    }))
    await open('/overview', { ...reads, 'operations.months': { data: months } }, 'admin')
    await expect.element(main().getByRole('radio', { name: '近 30 天' })).toBeChecked()
    expect(await callsOf('operations.months')).toEqual([])
    await main().getByRole('radio', { name: '近 12 个月' }).click({ force: true })
    const figures = () =>
      main()
        .getByRole('definition')
        .elements()
        .map(({ textContent }) => textContent)
    await expect.poll(figures).toEqual(expect.arrayContaining(['¥1,201.20', '¥841.20', '36', '24']))
    await expect
      .element(main().getByRole('slider', { name: '金额的时间点' }))
      .toHaveAttribute('aria-valuetext', '2026-12，充值 ¥100.10，消费 ¥80.20，退款 ¥10.10')
    await expectSoundEverywhere()
  })

  test('says that the months could not be read, and reads them again', async () => {
    await open('/overview', { ...reads, 'operations.months': { refused: 'INTERNAL' } }, 'admin')
    await main().getByRole('radio', { name: '近 12 个月' }).click({ force: true })
    await expect.element(main().getByText(/每月收支读取失败/)).toBeVisible()
    await expectSoundEverywhere()
  })

  test('leads from what stands in the way to where it is mended', async () => {
    const hosts = { total: 2, alive: 1, silent: 1, findings: 3 }
    const full = { ...quiet, hosts, groups: [{ id: group.id, name: group.name, smallestLeft: 0 }] }
    await open('/overview', { ...reads, 'operations.overview': { data: full } }, 'admin')
    for (const [name, href] of [
      ['退款申请', '/refunds'],
      ['近 7 天失败的任务', `/jobs?status=FAILED&from=${days.at(-7)}`],
      ['失联的宿主机', '/hosts?state=SILENT'],
      [group.name, `/servers?group=${group.id}`],
      ['待付款', '/all-orders?status=PENDING'],
    ] as const)
      await expect.element(main().getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
    await expect.element(main().getByText('售罄')).toBeVisible()
    await expect.element(main().getByText('在线 1 / 2')).toBeVisible()
  })

  test('of a shop before its first order says what is done and what is left, each leading to where it is done', async () => {
    const firstSale = [
      { step: 'category', done: true },
      { step: 'group', done: false },
      { step: 'gateway', done: false },
    ] as const
    await open(
      '/overview',
      { ...reads, 'operations.overview': { data: { ...quiet, firstSale: [...firstSale] } } },
      'admin',
    )
    const step = (name: string) => main().getByRole('listitem').filter({ hasText: name })
    await expect.element(step('建立分类').getByRole('img', { name: '完成', exact: true })).toBeVisible()
    await expect.element(step('建立分组').getByRole('img', { name: '未完成' })).toBeVisible()
    await expect.element(step('建立分组').getByRole('link')).toHaveAttribute('href', '/groups')
    await expect.element(step('接通支付网关')).toMatchTextContent('EPAY_URL')
    await expect.element(main().getByText('按此顺序最省事。')).toBeVisible()
    expect(main().getByRole('heading', { name: '收支', exact: true }).elements()).toEqual([])
    await expectSoundEverywhere()
  })

  test.each([
    [
      'none can be bought',
      [{ groupId: group.id, reason: 'no-hosts', message: '分组内没有宿主机' }] as const,
      '还没有分组可以购买',
    ],
    ['one can be bought', [], '全部就绪。'],
  ])('of a shop whose steps are all done tells whether something can be bought: %s', async (_, reasons, said) => {
    const view = {
      ...quiet,
      firstSale: [{ step: 'site', done: true }] satisfies typeof quiet.firstSale,
      groups: [{ id: group.id, name: group.name, smallestLeft: 4 }],
    }
    await open(
      '/overview',
      { ...reads, 'operations.overview': { data: view }, 'shop.unsold': { data: [...reasons] } },
      'admin',
    )
    await expect.element(main().getByText(said)).toBeVisible()
    await expectSoundEverywhere()
  })

  const unsold: Script = {
    'shop.unsold': { data: [{ groupId: group.id, reason: 'no-addresses', message: '空闲的 IP 地址不足' }] },
  }

  test('says of a group why nothing of it can be bought', async () => {
    const full = { ...quiet, groups: [{ id: group.id, name: group.name, smallestLeft: 0 }] }
    await open('/overview', { ...reads, ...unsold, 'operations.overview': { data: full } }, 'admin')
    await expect.element(main().getByText('空闲的 IP 地址不足')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('is not alone in saying so: the list of groups does, too', async () => {
    await open('/groups', { ...groups, ...unsold }, 'admin')
    await expect.element(main().getByText('暂无可售：空闲的 IP 地址不足')).toBeVisible()
    await expectSoundEverywhere()
  })

  test('shows where the time of an installation goes, step by step', async () => {
    const setUpSteps = [
      { label: '等待宿主机领取', p50: 0.02, p95: 0.3 },
      { label: '等待系统启动', p50: 5.25, p95: 61 },
    ]
    const timed = { ...quiet, setUpSeconds: { p50: 5.4, p95: 62, count: 12 }, setUpSteps }
    await open('/overview', { ...reads, 'operations.overview': { data: timed } }, 'admin')
    const rows = () => main().getByRole('listitem').filter({ hasText: /95%/ })
    await expect.element(rows().first()).toHaveTextContent('等待宿主机领取20 毫秒 95% 300 毫秒')
    await expect.element(rows().last()).toHaveTextContent('等待系统启动5.3 秒 95% 1:01')
    await expectSoundEverywhere()
  })

  test('says what could not be read, each part by itself, and reads it again', async () => {
    const failing = Object.fromEntries(Object.keys(reads).map((path) => [path, { refused: 'INTERNAL' }]))
    await open('/overview', failing, 'admin')
    await expect.element(main().getByText('加载概览失败')).toBeVisible()
    expect(main().getByText('¥0.00').elements()).toEqual([])
    await answer(reads)
    await pressOn('重试')
    await expect.element(main().getByText('还没有启用的分组')).toBeVisible()
  })

  test('that cannot be refreshed stays, and says since when it is as it is', async () => {
    await open('/overview', reads, 'admin')
    await expect.element(main().getByText('还没有宿主机')).toBeVisible()
    await answer({ ...reads, 'operations.overview': { refused: 'INTERNAL' } })
    await pressOn('刷新')
    await expect.element(main().getByText(/^刷新概览失败：.*以下为 \d\d:\d\d:\d\d 的数据。$/)).toBeVisible()
    await expect.element(main().getByText('还没有宿主机')).toBeVisible()
  })
})

interface Taken {
  at: string
  reads: Script
  save: CallPath
  fill: () => Promise<void>
  label: string
  said: string
  /** As told, if it is not the name. */
  of?: string
}
const fill = async (typed: Record<string, string>) => {
  for (const [label, value] of Object.entries(typed)) await field(label).fill(value)
}
const taken: Taken[] = [
  {
    at: '/categories',
    reads: categories,
    save: 'catalogue.createCategory',
    fill: () => fill({ 名称: category.name }),
    label: '名称',
    said: '名称已存在',
  },
  {
    at: '/groups',
    reads: { ...groups, ...categories },
    save: 'catalogue.createGroup',
    fill: async () => {
      await fill({ 名称: group.name })
      await field('所属分类').selectOptions(category.name)
    },
    label: '名称',
    said: '名称已存在',
  },
  {
    at: '/images',
    reads: { 'images.list': { data: pageOf(image) } },
    save: 'images.create',
    fill: () => fill({ 系统名称: 'Debian', 版本: '12', 文件名: 'debian-12.qcow2' }),
    label: '文件名',
    said: '该文件已属于其他镜像',
    of: 'file',
  },
  {
    at: '/ip-pools',
    reads: pools,
    save: 'pools.create',
    fill: () => fill({ 名称: pool.name, 网段: pool.network }),
    label: '名称',
    said: '名称已存在',
  },
  {
    at: '/ip-pools',
    reads: pools,
    save: 'pools.create',
    fill: () => fill({ 名称: '另一', 网段: pool.network }),
    label: '网段',
    said: '其中有地址已属于其他 IP 池',
    of: 'network',
  },
  {
    at: '/ip-pools',
    reads: pools,
    save: 'pools.create',
    fill: async () => {
      await fill({ 名称: '另一', 网段: '10.66.0.0/24' })
      await field('IPv4 地址').selectOptions('NAT：内网地址，共享宿主机的公网地址')
      await fill({ 外部地址: '203.0.113.7', 网关: '10.66.0.1' })
    },
    label: '起始端口',
    said: '其中有端口已属于其他 IP 池',
    of: 'nat.firstPort',
  },
]

test.each(taken)('at $at what somebody else has is said at the field that must change', async (one) => {
  await open(
    one.at,
    {
      ...one.reads,
      [one.save]: { refused: 'NAME_TAKEN', ...(one.of && { message: one.said, errors: { [one.of]: one.said } }) },
    },
    'admin',
  )
  await pressOn('新增')
  await one.fill()
  await inDialog('保存').click()
  await expect.element(dialog.getByText(one.said)).toBeVisible()
  await expect.element(field(one.label)).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field(one.label)).toHaveFocus()
  expect(await callsOf(one.save)).toHaveLength(1)
})

test('what was deleted is not shown again where other conditions are asked for', async () => {
  await open('/price-groups', { 'catalogue.priceGroups': { data: pageOf(priceGroup()) }, ...groups }, 'admin')
  await main().getByRole('searchbox').fill('标准')
  await expect.poll(() => callsOf('catalogue.priceGroups')).toContainEqual(expect.objectContaining({ search: '标准' }))
  await pressOn(`${priceGroup().name} 的更多操作`)
  await answer({ 'catalogue.priceGroups': { data: pageOf() }, 'catalogue.deletePriceGroup': { data: null } })
  await page.getByRole('menuitem', { name: '删除' }).click()
  await inQuestion('确认删除').click()
  await expect.element(main().getByText('没有符合条件的价格组')).toBeVisible()
  await answer({ 'catalogue.priceGroups': 'no answer' })
  await pressOn('清除筛选')
  await expect.poll(() => callsOf('catalogue.priceGroups')).toHaveLength(1)
  await expect.element(main().getByRole('searchbox')).toHaveValue('')
  expect(main().getByText(priceGroup().name).elements()).toEqual([])
})

test('that there is nothing is not claimed of a list while it is read without its conditions', async () => {
  await open('/price-groups?q=zzz', { 'catalogue.priceGroups': { data: pageOf() }, ...groups }, 'admin')
  await expect.element(main().getByText('没有符合条件的价格组')).toBeVisible()
  await answer({ 'catalogue.priceGroups': 'no answer' })
  await pressOn('清除筛选')
  await expect.poll(() => callsOf('catalogue.priceGroups')).toHaveLength(1)
  expect(main().getByText('暂无价格组').elements()).toEqual([])
  await answer({ 'catalogue.priceGroups': { data: pageOf() } })
  await expect.element(main().getByText('暂无价格组')).toBeVisible()
})

describe('a list in a dialog', () => {
  test('of addresses is searched, keeps those in use, and gives back what was kept', async () => {
    const used = { ...address, address: '203.0.113.21', state: 'used', serverName: '香港-1' } as const
    const kept = { ...address, address: '203.0.113.22', state: 'reserved' } as const
    const reads: Script = { ...pools, 'pools.addresses': { data: pageOf(address, used, kept) } }
    await open('/ip-pools', { ...reads, 'pools.reserveAddress': { data: null } }, 'admin')
    await pressOn(`查看地址 ${pool.name}`)
    await expect.element(inDialog(`保留 ${used.address}`)).toHaveAttribute('aria-disabled', 'true')
    await inDialog(`取消保留 ${kept.address}`).click()
    await expect.element(notices.getByText(`已取消保留 ${kept.address}`)).toBeVisible()
    expect(await callsOf('pools.reserveAddress')).toEqual([{ address: kept.address, reserved: false }])
    // Before it is typed: a search goes out by itself once typing has rested.
    await answer({ ...pools, 'pools.addresses': { data: pageOf() } })
    await field('搜索地址').fill('113.9')
    await expect.element(dialog.getByText('没有符合条件的地址')).toBeVisible()
    await expect.poll(() => callsOf('pools.addresses')).toContainEqual(expect.objectContaining({ search: '113.9' }))
  })
})

test('an address that is being kept back says so, and is asked for once', async () => {
  const reads: Script = { ...pools, 'pools.addresses': { data: pageOf(address) } }
  await open('/ip-pools', { ...reads, 'pools.reserveAddress': 'no answer' }, 'admin')
  await pressOn(`查看地址 ${pool.name}`)
  const keep = inDialog(`保留 ${address.address}`)
  await keep.click()
  await expect.element(keep).toHaveAttribute('aria-busy', 'true')
  await expect.poll(() => callsOf('pools.reserveAddress')).toHaveLength(1)
  keep.element().dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await answer({ ...reads, 'pools.reserveAddress': { data: null } })
  await expect.element(notices.getByText(`已保留 ${address.address}`)).toBeVisible()
  expect(await callsOf('pools.reserveAddress')).toEqual([])
})

test('who had an address is asked from its row, and read by address and port', async () => {
  const reads: Script = { ...pools, 'pools.addresses': { data: pageOf(address) } }
  const now = { ...addressTerm, ownerName: 'chen', from: inDays(-1), until: null }
  await open('/ip-pools', { ...reads, 'pools.history': { data: pageOf(now, addressTerm) } }, 'admin')
  await pressOn(`查看地址 ${pool.name}`)
  await inDialog(`使用记录 ${address.address}`).click()
  await expect.element(dialog.getByRole('heading', { name: '地址使用记录' })).toBeVisible()
  await expectSoundEverywhere()
  await expect.element(dialog.getByText('至今')).toBeVisible()
  await expect.element(dialog.getByText('203.0.113.7:20020–20039').first()).toBeVisible()
  await expect.element(dialog.getByRole('link', { name: 'lin' })).toHaveAttribute('href', `/users/${id(2)}`)
  expect(await callsOf('pools.history')).toContainEqual(expect.objectContaining({ text: address.address }))
  await answer({ ...reads, 'pools.history': { data: pageOf() } })
  await field('IP 地址（可带端口）').fill('203.0.113.7:20060')
  await expect.element(dialog.getByText('没有人用过这个地址')).toBeVisible()
})

test('that nobody had one address is not said of the next one while that is asked for', async () => {
  const reads: Script = { 'pools.list': { data: pageOf(pool) }, 'pools.history': { data: pageOf() } }
  await open('/ip-pools?history=203.0.113.7', reads, 'admin')
  const dialog = page.getByRole('dialog')
  const nobody = dialog.getByText('没有人用过这个地址')
  await expect.element(nobody).toBeVisible()
  await answer({ ...reads, 'pools.history': 'no answer' })
  await dialog.getByLabelText('IP 地址（可带端口）').fill('203.0.113.8')
  await expect.element(dialog.getByRole('table')).toHaveAttribute('aria-busy', 'true')
  expect(nobody.elements()).toEqual([])
  await answer(reads)
  await expect.element(nobody).toBeVisible()
})

describe('a host', () => {
  const hosts: Script = { ...groups, ...pools, 'hosts.list': { data: pageOf(host) } }

  test('that is prepared shows its command once, and what is to be done with it', async () => {
    const made = { id: id(52), token: 't', command: 'npm run agent -- enrol --token t', expiresAt: inDays(1) }
    await open('/hosts', { ...hosts, 'hosts.create': { data: made } }, 'admin')
    await pressOn('接入宿主机')
    await field('名称').fill('hk-2')
    await field('云服务器 / 香港 CN2').click()
    await inDialog('生成接入命令').click()
    await expect.element(dialog.getByRole('group', { name: '接入命令' })).toMatchTextContent(made.command)
    await expect.element(dialog.getByText('只显示这一次')).toBeVisible()
    await expectSound()
    await inDialog('完成').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(await callsOf('hosts.create')).toEqual([expect.objectContaining({ name: 'hk-2', groupIds: [group.id] })])
  })

  test('is given no groups or pools that could not be read, and it is not claimed that there are none', async () => {
    const unread = { 'catalogue.groups': { refused: 'INTERNAL' }, 'pools.list': { refused: 'INTERNAL' } } as const
    await open('/hosts', { ...hosts, ...unread }, 'admin')
    await pressOn('接入宿主机')
    await expect.poll(() => dialog.getByText('加载失败').elements()).toHaveLength(2)
    expect(dialog.getByText(/还没有/).elements()).toEqual([])
  })
})

test.each([
  [`/jobs?server=${id(12)}`, 'jobs.list', { 'jobs.list': { data: pageOf(job()) } }, `服务器 ${job().serverName}`],
] as [string, CallPath, Script, string][])(
  'what a link has cut the list down to is named at %s, and can be taken away',
  async (at, read, reads, name) => {
    await open(at, reads, 'admin')
    const [, condition = ''] = at.split('=')
    await expect.poll(async () => JSON.stringify(await callsOf(read))).toContain(condition)
    await main()
      .getByRole('button', { name: `移除条件 ${name}` })
      .click()
    await expect.poll(() => location.search).toBe('')
    await expect.poll(async () => JSON.stringify((await callsOf(read)).at(-1))).not.toContain(condition)
  },
)

describe('what customers read of a price group', () => {
  const previewed = async (salesPageHtml: string | null) => {
    const shown = priceGroup({ salesPageHtml })
    await open('/price-groups', { ...groups, 'catalogue.priceGroups': { data: pageOf(shown) } }, 'admin')
    await pressOn(`预览 ${shown.name} 的销售页`)
  }

  test('is shown as facts where it is a structured plan', async () => {
    const plan = { cpu_cores: 4, memory: 8, disk_space: 80, network_speed: 100, ip_count: 1 }
    const systems = { operating_system: [{ name: 'Debian', versions: ['12', '13'] }] }
    await previewed(JSON.stringify({ ...plan, ...systems }))
    await expect
      .element(dialog)
      .toMatchTextContent('CPU4 核内存8 GB存储80 GB带宽100 MbpsIP 数量1 个操作系统Debian 12、13')
  })

  test('is shown as they get it where it is written by hand, without what could run', async () => {
    await previewed('<h2>云</h2><script>top.location = "/"</script><img src=x onerror="top.stolen = 1">')
    const frame = () => dialog.element().querySelector('iframe')
    await expect.poll(() => frame()?.contentDocument?.querySelector('h2')?.textContent).toBe('云')
    // Links open beside it; no script, form or way to the page around it.
    expect(frame()?.getAttribute('sandbox')).toBe('allow-same-origin allow-popups allow-popups-to-escape-sandbox')
    expect(frame()?.srcdoc).not.toMatch(/script|onerror/)
  })

  test('says where there is nothing to read', async () => {
    await previewed(null)
    await expect.element(dialog.getByText('没有销售页内容')).toBeVisible()
  })
})

test('a machine that waits to be cleaned says how it is sold again', async () => {
  const waiting = { ...server, isSold: true, needsCleaning: true }
  await open('/servers', { ...groups, 'servers.list': { data: pageOf(waiting) } }, 'admin')
  await pressOn(`编辑 ${server.ip}`)
  await expect.element(dialog.getByText(/机器待清理。重装完成后关闭“已售出”并保存/)).toBeVisible()
})

test('a dedicated server that lets nobody in says why beside its address', async () => {
  const unreached = { ...server, power: 'unknown', testFailure: 'refused' } as const
  await open('/servers', { ...groups, 'servers.list': { data: pageOf(unreached) } }, 'admin')
  await expect.element(main().getByText('拒绝登录：用户名或密码不符')).toBeVisible()
  await expectSoundEverywhere()
})
