/**
 * Every screen with demo data, in light and dark, on desk and phone, into `screenshots/`; `npm run screenshots --
 * dashboard console` takes only those.
 */
import fs from 'node:fs'
import path from 'node:path'
import * as playwright from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders.contract'
import { chromium } from '../tests/setup/chromium.js'
import { signIn, waitFor, type Customer } from '../tests/setup/customer.js'
import { startProduct, wholeDemo, type Product } from '../tests/setup/product.js'
import { haveReverseNames } from './reverse-names-shot.js'
import { root } from './run-command.js'

type Shot = {
  name: string
  address: string
  who: Customer | null
  prepare?: (page: Page) => Promise<void>
  /** Something lies over the page: taken as the window shows it. */
  over?: true
  /** In every look after all others, which show the server as it is bought. */
  last?: true
}

const folder = path.join(root, 'screenshots')
const modes = ['light', 'dark'] as const
const windows = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const waitMs = 30_000

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()

const pressAndWait = (name: string) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('dialog').waitFor({ timeout: waitMs })
}

async function testNames(page: Page): Promise<void> {
  await press('测试反向解析服务器')(page)
  await page.getByText('可以写入').first().waitFor({ timeout: waitMs })
}

async function editStorage(page: Page): Promise<void> {
  await press('编辑备份存储')(page)
  await page.getByRole('dialog').waitFor({ timeout: waitMs })
  await page.getByLabel('地址').fill('s3:https://objects.example.com/backups')
}

async function edit(page: Page): Promise<void> {
  await press('编辑')(page)
  await page.getByRole('dialog').waitFor({ timeout: waitMs })
}

/** On a phone one by one: a card has no head. */
async function chooseAll(page: Page): Promise<void> {
  const boxes = page.getByRole('main').getByRole('checkbox')
  await boxes.first().waitFor({ timeout: waitMs })
  for (const box of await boxes.all()) await box.check()
}

/** The home page's lower half is loaded when somebody comes near it. */
async function toTheEnd(page: Page): Promise<void> {
  await page.getByRole('button', { name: '立即开始' }).waitFor({ timeout: waitMs })
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.getByRole('heading', { name: '常见问题' }).waitFor({ timeout: waitMs })
  await page.evaluate(() => scrollTo(0, 0))
}

const connected = (page: Page) => page.getByText('已连接', { exact: true }).waitFor({ timeout: waitMs })

const card = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })

/** The first picture makes it, the others find it. */
async function have(page: Page, title: string, empty: string, make: () => Promise<unknown>): Promise<void> {
  const kept = card(page, title)
  const ready = kept.getByText('可恢复', { exact: true })
  await kept.getByText(empty).or(ready.first()).waitFor({ timeout: waitMs })
  if ((await ready.count()) === 0) await make()
  await ready.first().waitFor({ timeout: waitMs })
}

async function haveWaysBack(page: Page): Promise<void> {
  await have(page, '快照', '还没有快照', async () => {
    await press('创建快照')(page)
    await page.getByRole('textbox', { name: '快照名称' }).fill('升级数据库之前')
    await press('确认创建快照')(page)
  })
  await have(page, '备份', '还没有备份', async () => {
    await press('创建备份')(page)
    await press('确认创建备份')(page)
    await press('设置定时备份')(page)
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  })
}

async function askFor(page: Page, title: string, act: RegExp): Promise<void> {
  await haveWaysBack(page)
  await card(page, title).getByRole('button', { name: act }).first().click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor({ timeout: waitMs })
}

/** The first picture enters, the others find it. */
async function haveRescue(page: Page): Promise<void> {
  const [outside, inside] = [
    page.getByRole('button', { name: '进入救援模式', exact: true }),
    page.getByRole('region', { name: '救援模式' }),
  ]
  await outside.or(inside).first().waitFor({ timeout: waitMs })
  if (!(await inside.isVisible())) {
    await outside.click()
    await press('确认进入救援模式')(page)
  }
  await inside.waitFor({ timeout: waitMs })
}

/** The first picture puts one in, the others find it. */
async function haveDisc(page: Page): Promise<void> {
  const overview = page.url()
  const [empty, full] = [
    page.getByRole('button', { name: '插入光盘', exact: true }),
    page.getByRole('region', { name: '光驱' }),
  ]
  await page.goto(`${overview}?part=disk`)
  await empty.or(full).first().waitFor({ timeout: waitMs })
  if (!(await full.isVisible())) {
    await askForDisc(page)
    await press('插入并重启')(page)
    await full.waitFor({ timeout: waitMs })
  }
  await page.goto(overview)
  await full.waitFor({ timeout: waitMs })
}

async function askForDisc(page: Page): Promise<void> {
  await press('插入光盘')(page)
  await page.getByRole('alertdialog').getByLabel('光盘').selectOption({ index: 1 })
}

async function chooseRules(page: Page): Promise<void> {
  await press('网站服务器')(page)
  await page.getByRole('button', { name: '保存并应用' }).waitFor({ timeout: waitMs })
}

const figures = (page: Page) =>
  page.locator('[role="meter"][aria-label="CPU"][aria-valuetext$="%"]').waitFor({ timeout: waitMs })

const product = await startProduct({ env: wholeDemo })
const browser = await playwright.chromium.launch(chromium)
try {
  fs.mkdirSync(folder, { recursive: true })
  const asked = process.argv.slice(2)
  const shots = (await listShots(product)).filter(({ name }) => asked.length === 0 || asked.includes(name))
  for (const part of [shots.filter(({ last }) => !last), shots.filter(({ last }) => last)]) {
    for (const mode of modes) {
      for (const [device, viewport] of Object.entries(windows)) {
        await takeAll(browser, part, `${mode}-${device}`, { colorScheme: mode, viewport })
        console.log(`${part.length} screens, ${mode}, ${device}`)
      }
    }
  }
  console.log(`in ${path.relative(process.cwd(), folder) || '.'}/`)
} finally {
  await browser.close()
  await product.stop()
  fs.rmSync(product.dataDir, { recursive: true, force: true })
}

/** Two of them, one with backups: a machine in rescue gets no disc. Their hosts may only just have been heard. */
async function runningOrders(demo: Customer): Promise<[OrderView, OrderView]> {
  let running: OrderView[] = []
  await waitFor(async () => {
    const orders = (await demo.call<OrderView[]>('GET', '/orders')).body.data
    running = orders.filter(({ status, server }) => status === 'ACTIVE' && server?.status === 'ONLINE')
    return running.length > 1
  }, 'running servers of the demo')
  const [one, another] = running.toSorted((one, other) => other.backups - one.backups)
  if (!one || !another) throw new Error('the demo has not enough running servers')
  return [one, another]
}

async function listShots(on: Product): Promise<Shot[]> {
  const demo = await signIn(on, 'demo', 'Demo-user-1')
  const admin = await signIn(on, 'admin', 'Admin-demo-1')
  const [running, another] = await runningOrders(demo)
  await haveReverseNames(admin, demo, running.serverId ?? '')
  const payments = await demo.call<{ content: { outTradeNo: string; status: string }[] }>('GET', '/payment/orders')
  const paid = payments.body.data.content.find(({ status }) => status === 'SUCCESS')?.outTradeNo ?? ''

  const found = await admin.call<{ content: { id: string }[] }>('GET', '/users?search=demo')
  const customer = found.body.data.content[0]?.id ?? ''

  const hosts = await admin.call<{ content: { id: string }[] }>('GET', '/hosts?size=1')
  const host = hosts.body.data.content[0]?.id ?? ''

  const offers = await admin.call<{ id: string; salesPageHtml: string | null }[]>('GET', '/price-groups')
  const offer = offers.body.data.find(({ salesPageHtml }) => salesPageHtml?.startsWith('<'))?.id ?? ''

  const as = (who: Customer | null, addresses: Record<string, string>) =>
    Object.entries(addresses).map(([name, address]): Shot => ({ name, address, who }))
  return [
    ...as(null, {
      sales: '/sales',
      welcome: '/sales?group=none',
      auth: '/auth',
      'forgot-password': '/forgot-password',
      'payment-failed': '/payment/failed',
      notices: '/notices',
      status: '/status',
      'terms-page': '/terms',
      'not-found': '/nowhere',
    }),
    { name: 'home', address: '/', who: null, prepare: toTheEnd },
    {
      name: 'places',
      address: '/',
      who: null,
      prepare: async (page) => {
        await toTheEnd(page)
        const map = page.getByRole('region', { name: '机房分布' })
        await map.getByRole('button', { name: '测速' }).click()
        await map.getByRole('row', { name: '洛杉矶' }).getByText('ms').waitFor({ timeout: waitMs })
        await map.scrollIntoViewIfNeeded()
      },
      over: true,
    },
    { name: 'register', address: '/auth', who: null, prepare: press('立即注册') },
    { name: 'theme', address: '/', who: null, prepare: press('主题设置'), over: true },
    { name: 'terms', address: '/', who: null, prepare: press('服务条款'), over: true },
    ...as(demo, {
      dashboard: '/dashboard',
      orders: '/orders',
      transactions: '/transactions',
      recharge: '/recharge',
      history: '/payment/history',
      'payment-success': `/payment/success?order=${paid}`,
      profile: '/profile',
      progress: `/server-install-progress/${running.serverId}`,
    }),
    {
      name: 'remote-screen',
      address: `/remote/${running.serverId}`,
      who: demo,
      prepare: connected,
      over: true,
    },
    {
      name: 'remote-serial',
      address: `/remote/${running.serverId}?kind=serial`,
      who: demo,
      prepare: connected,
      over: true,
    },
    { name: 'dashboard-chosen', address: '/dashboard', who: demo, prepare: chooseAll, over: true },
    {
      name: 'dashboard-renew',
      address: '/dashboard',
      who: demo,
      prepare: async (page) => {
        await chooseAll(page)
        await page.getByRole('region', { name: '已选的服务器' }).getByRole('button', { name: '续费' }).click()
        await page.getByRole('alertdialog').waitFor({ timeout: waitMs })
      },
      over: true,
    },
    {
      name: 'dashboard-grouped',
      address: '/dashboard?group=label',
      who: demo,
    },
    {
      name: 'dashboard-labels',
      address: '/dashboard',
      who: demo,
      prepare: async (page) => {
        await page.getByRole('button', { name: '的更多操作' }).first().click()
        await page.getByRole('menuitem', { name: '设置标签' }).click()
        await page.getByRole('dialog').waitFor({ timeout: waitMs })
      },
      over: true,
    },
    { name: 'order', address: `/orders?orderId=${running.id}`, who: demo, over: true },
    { name: 'console', address: `/server-manage/${running.id}`, who: demo, prepare: figures },
    ...as(
      demo,
      Object.fromEntries(
        ['monitoring', 'network', 'security', 'logs'].map((part) => [
          `console-${part}`,
          `/server-manage/${running.id}?part=${part}`,
        ]),
      ),
    ),
    { name: 'console-disk', address: `/server-manage/${running.id}?part=disk`, who: demo, prepare: haveWaysBack },
    { name: 'console-firewall', address: `/server-manage/${running.id}?part=network`, who: demo, prepare: chooseRules },
    {
      name: 'firewall-rule',
      address: `/server-manage/${running.id}?part=network`,
      who: demo,
      prepare: async (page) => {
        await press('添加规则')(page)
        await page.getByRole('dialog').waitFor({ timeout: waitMs })
      },
      over: true,
    },
    {
      name: 'reverse-name',
      address: `/server-manage/${running.id}?part=network`,
      who: demo,
      prepare: pressAndWait('的反向解析'),
      over: true,
    },
    ...[
      ['console-revert', '快照', /^恢复/] as const,
      ['console-restore', '备份', /^恢复/] as const,
      ['console-schedule', '备份', /^设置定时备份/] as const,
    ].map(([name, title, act]): Shot => ({
      name,
      address: `/server-manage/${running.id}?part=disk`,
      who: demo,
      prepare: (page) => askFor(page, title, act),
      over: true,
    })),
    { name: 'price-group', address: '/price-groups', who: admin, prepare: edit, over: true },
    { name: 'group', address: '/groups', who: admin, prepare: edit, over: true },
    { name: 'export', address: '/jobs', who: admin, prepare: press('导出'), over: true },
    { name: 'settings-storage', address: '/settings', who: admin, prepare: editStorage, over: true },
    {
      name: 'settings-names',
      address: '/settings',
      who: admin,
      prepare: pressAndWait('编辑反向解析服务器'),
      over: true,
    },
    { name: 'settings-tested', address: '/settings', who: admin, prepare: testNames, over: true },
    { name: 'settings-places', address: '/settings', who: admin, prepare: press('编辑机房与测速'), over: true },
    {
      name: 'calendar',
      address: '/announcements',
      who: admin,
      prepare: async (page) => {
        await press('发布公告')(page)
        await page.getByRole('button', { name: '选择开始时间' }).click()
        await page.getByRole('button', { name: /^今天/ }).waitFor({ timeout: waitMs })
      },
      over: true,
    },
    ...as(admin, {
      overview: '/overview',
      categories: '/categories',
      groups: '/groups',
      servers: '/servers',
      'price-groups': '/price-groups',
      'sales-page': `/price-groups/${offer}/sales-page`,
      'all-orders': '/all-orders',
      payments: '/payments',
      refunds: '/refunds',
      hosts: '/hosts',
      host: `/hosts/${host}`,
      'host-servers': `/hosts/${host}?part=servers`,
      'host-jobs': `/hosts/${host}?part=jobs`,
      'host-findings': `/hosts/${host}?part=findings`,
      'host-images': `/hosts/${host}?part=images`,
      'host-addresses': `/hosts/${host}?part=addresses`,
      images: '/images',
      'ip-pools': '/ip-pools',
      jobs: '/jobs',
      findings: '/findings',
      users: '/users',
      user: `/users/${customer}`,
      'user-notes': `/users/${customer}?part=notes`,
      'user-mails': `/users/${customer}?part=mails`,
      'user-audit': `/users/${customer}?part=audit`,
      audit: '/audit',
      announcements: '/announcements',
      incidents: '/incidents',
      settings: '/settings',
    }),
    {
      name: 'console-disc-question',
      address: `/server-manage/${running.id}?part=disk`,
      who: demo,
      prepare: askForDisc,
      over: true,
    },
    { name: 'console-disc', address: `/server-manage/${another.id}`, who: demo, prepare: haveDisc },
    {
      name: 'image-disc',
      address: '/images?q=.iso',
      who: admin,
      prepare: edit,
      over: true,
    },
    {
      name: 'console-rescue',
      address: `/server-manage/${running.id}?part=security`,
      who: demo,
      prepare: haveRescue,
      last: true,
    },
  ]
}

type Look = { colorScheme: (typeof modes)[number]; viewport: { width: number; height: number } }

async function takeAll(on: Browser, shots: Shot[], suffix: string, look: Look): Promise<void> {
  for (const who of new Set(shots.map((shot) => shot.who))) {
    const context = await on.newContext({
      ...look,
      baseURL: product.url,
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
      reducedMotion: 'reduce',
    })
    await enter(context, who, look.colorScheme)
    const page = await context.newPage()
    for (const shot of shots.filter((candidate) => candidate.who === who)) {
      await page.goto(shot.address)
      await page.getByRole('heading', { level: 1 }).waitFor({ timeout: waitMs })
      await shot.prepare?.(page)
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: path.join(folder, `${shot.name}-${suffix}.png`), fullPage: !shot.over })
    }
    await context.close()
  }
}

async function enter(context: BrowserContext, who: Customer | null, mode: string): Promise<void> {
  const user = who ? (await who.call('GET', '/auth/profile')).body : null
  await context.addInitScript(
    ([chosen, token, json]) => {
      localStorage.setItem('theme-mode', chosen!)
      if (token) localStorage.setItem('token', token)
      if (json) localStorage.setItem('user', json)
    },
    [mode, who?.token ?? '', user ? JSON.stringify(user) : ''],
  )
}
