/** Every screen of the administration: nothing overflows, axe finds nothing. */
import { judgeEverywhere } from './judge.js'
import { demoAdmin, enterAs, product } from './people.js'
import { followSystemMode } from './states.js'
import { expect, test } from './test.js'

const screens = {
  categories: { path: '/categories', title: '分类管理', dialog: '新增' },
  groups: { path: '/groups', title: '分组管理', dialog: '新增' },
  servers: { path: '/servers', title: '服务器列表', dialog: '新增' },
  'price-groups': { path: '/price-groups', title: '价格组', dialog: '新增' },
  overview: { path: '/overview', title: '概览', dialog: null },
  'all-orders': { path: '/all-orders', title: '全部订单', dialog: null },
  payments: { path: '/payments', title: '全部支付', dialog: null },
  refunds: { path: '/refunds', title: '退款申请', dialog: null },
  hosts: { path: '/hosts', title: '宿主机', dialog: '接入宿主机' },
  images: { path: '/images', title: '镜像', dialog: '新增' },
  'ip-pools': { path: '/ip-pools', title: 'IP 池', dialog: '新增' },
  jobs: { path: '/jobs', title: '任务', dialog: null },
  findings: { path: '/findings', title: '发现项', dialog: null },
  users: { path: '/users', title: '用户', dialog: null },
  announcements: { path: '/announcements', title: '公告管理', dialog: null },
  incidents: { path: '/incidents', title: '服务事件', dialog: '发布服务事件' },
  settings: { path: '/settings', title: '网站设置', dialog: '编辑法律文本' },
  audit: { path: '/audit', title: '审计日志', dialog: null },
} as const

test('every screen and form of an administrator', async ({ page, context }) => {
  test.setTimeout(600_000)
  await followSystemMode(page)
  await enterAs(context, await demoAdmin())
  for (const [name, { path, title, dialog }] of Object.entries(screens)) {
    await test.step(name, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      // The chart's library comes after the figures.
      if (name === 'overview') await expect(page.getByText('查看数据').nth(3)).toBeVisible()
      await judgeEverywhere(page, `admin-${name}`)
      if (!dialog) return
      await page.getByRole('button', { name: dialog, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await judgeEverywhere(page, `admin-${name}-form`)
    })
  }
})

test('every part of a customer’s page', async ({ page, context }) => {
  await followSystemMode(page)
  const admin = await demoAdmin()
  await enterAs(context, admin)
  const found = await admin.call<{ content: { id: string }[] }>('GET', '/users?search=demo')
  const id = found.body.data.content[0]?.id ?? ''
  for (const part of ['orders', 'servers', 'wallet', 'payments', 'devices', 'notes', 'audit']) {
    await test.step(part, async () => {
      await page.goto(`/users/${id}?part=${part}`)
      await expect(page.getByRole('heading', { level: 1, name: 'demo' })).toBeVisible()
      await judgeEverywhere(page, `admin-user-${part}`)
    })
  }
})

test('every part of a host’s page', async ({ page, context }) => {
  await followSystemMode(page)
  const admin = await demoAdmin()
  await enterAs(context, admin)
  const found = await admin.call<{ content: { id: string }[] }>('GET', '/hosts?search=demo-host-1')
  const id = found.body.data.content[0]?.id ?? ''
  for (const part of ['overview', 'servers', 'migrations', 'jobs', 'findings', 'images', 'addresses', 'audit']) {
    await test.step(part, async () => {
      await page.goto(`/hosts/${id}?part=${part}`)
      await expect(page.getByRole('heading', { level: 1, name: 'demo-host-1' })).toBeVisible()
      if (part === 'overview') await expect(page.getByText('查看数据').nth(1)).toBeVisible()
      await judgeEverywhere(page, `admin-host-${part}`)
    })
  }
})

test('the menus lead to every screen, and no code of theirs comes with the first visit', async ({ page, context }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await enterAs(context, await demoAdmin())
  for (const path of ['/', '/sales']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const pages = ['Categories', 'Groups', 'Servers', 'PriceGroups', 'Overview', 'AllOrders', 'Hosts', 'Users', 'Audit']
  expect(loaded.filter((url) => pages.some((name) => url.includes(`${name}Page`)))).toEqual([])
  for (const [menu, entries] of Object.entries({
    服务器管理: ['分类管理', '分组管理', '服务器列表', '价格组'],
    商务: ['概览', '全部订单', '全部支付', '退款申请', '用户'],
    机房: ['宿主机', '镜像', 'IP 池', '任务', '发现项'],
    系统: ['公告管理', '服务事件', '网站设置', '审计日志'],
  })) {
    for (const entry of entries) {
      await page.locator('button[aria-haspopup]', { hasText: menu }).click()
      await page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).click()
      await expect(page.getByRole('heading', { level: 1, name: entry })).toBeVisible()
    }
  }
  expect(loaded.every((url) => url.startsWith(product.url) || !url.startsWith('http'))).toBe(true)
})
