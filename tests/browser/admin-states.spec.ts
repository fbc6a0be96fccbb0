/** The administration's screens before anything is there, while they read, when reading fails, and when nothing fits. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { startPostgres } from '../../scripts/postgres.js'
import { signIn } from '../setup/customer.js'
import { startProduct } from '../setup/product.js'
import { demoAdmin, enterAs } from './people.js'
import {
  expectSettled,
  expectSound,
  followSystemMode,
  violationsOf,
  visit,
  whileFailing,
  whileSlow,
  withoutHints,
} from './states.js'

/** `none`: a filter that nothing fits. `empty`: the sentence before anything is there; null where there always is something. */
const lists = [
  { path: '/categories', failed: '获取服务器类别失败', none: '?q=zzz', what: '服务器分类', empty: '暂无服务器分类' },
  { path: '/groups', failed: '获取服务器分组失败', none: '?q=zzz', what: '服务器分组', empty: '暂无服务器分组' },
  { path: '/servers', failed: '获取服务器失败', none: '?q=zzz', what: '服务器', empty: '暂无服务器' },
  { path: '/price-groups', failed: '获取价格组失败', none: '?q=zzz', what: '价格组', empty: '暂无价格组' },
  { path: '/all-orders', failed: '加载订单失败', none: '?q=zzz', what: '订单', empty: '暂无订单' },
  { path: '/refunds', failed: '加载退款申请失败', none: '?status=REJECTED', what: '退款申请', empty: '暂无退款申请' },
  { path: '/hosts', failed: '加载宿主机失败', none: '?q=zzz', what: '宿主机', empty: '暂无宿主机' },
  { path: '/images', failed: '加载镜像失败', none: '?q=zzz', what: '镜像', empty: '暂无镜像' },
  { path: '/ip-pools', failed: '加载IP 池失败', none: '?q=zzz', what: 'IP 池', empty: '暂无IP 池' },
  { path: '/jobs', failed: '加载任务失败', none: '?kind=rescue', what: '任务', empty: '暂无任务' },
  { path: '/findings', failed: '加载发现项失败', none: null, what: '发现项', empty: '一切正常' },
  { path: '/users', failed: '加载用户失败', none: '?q=zzz', what: '用户', empty: null },
  { path: '/announcements', failed: '加载公告失败', none: null, what: '公告', empty: '暂无公告' },
  { path: '/audit', failed: '加载审计记录失败', none: '?actor=zzz', what: '审计记录', empty: null },
] as const

/** On a desk and on a phone, each in light and in dark. */
async function expectSoundEverywhere(page: Page, what: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectSound(page, `${what}, ${width} px`)
  }
}

test.describe('every list of an administrator', () => {
  test.beforeEach(async ({ page, context }) => {
    await followSystemMode(page)
    await enterAs(context, await demoAdmin())
  })

  test('is a skeleton in its final layout while it is read', async ({ page }) => {
    test.setTimeout(240_000)
    for (const [n, { path: address, what }] of lists.entries()) {
      // One after the other on a desk and on a phone: it is one frame.
      const phone = n % 2 === 1
      await page.setViewportSize({ width: phone ? 390 : 1440, height: 900 })
      await page.goto('/profile')
      await expectSettled(page)
      await whileSlow(page, async () => {
        await visit(page, address)
        const table = page.getByRole('table', { name: what })
        if (phone) await expect(page.getByRole('status', { name: `正在加载${what}` })).toBeVisible()
        else await expect(table).toHaveAttribute('aria-busy', 'true')
        await expect(page.getByText(`暂无${what}`)).toHaveCount(0)
        if (n < 2) expect(await violationsOf(page), `${address} while it is read`).toEqual([])
      })
    }
  })

  test('says what failed and tries again on request', async ({ page }) => {
    await withoutHints(page)
    test.setTimeout(240_000)
    for (const { path: address, failed } of lists) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await whileFailing(page, /\/trpc\/(admin\.|announcements\.list)/, async () => {
        await page.goto(address)
        const problem = page.getByRole('main').getByRole('alert')
        await expect(problem).toContainText(failed)
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        await expectSoundEverywhere(page, `${address} unread`)
      })
      await page.getByRole('main').getByRole('alert').getByRole('button', { name: '重试' }).click()
      await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    }
  })

  test('says that nothing fits, and takes the filter away on request', async ({ page }) => {
    test.setTimeout(240_000)
    for (const { path: address, none, what } of lists) {
      if (none === null) continue
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`${address}${none}`)
      await expect(page.getByText(`没有符合条件的${what}`)).toBeVisible()
      await expectSoundEverywhere(page, `${address} with nothing that fits`)
      await page.getByRole('button', { name: '清除筛选' }).click()
      await expect(page).toHaveURL(new RegExp(`${address}$`))
    }
  })
})

test('the first administrator of a new shop finds every screen empty, and what to do next', async ({ browser }) => {
  test.setTimeout(360_000)
  const secret = randomBytes(32).toString('hex')
  const product = await startProduct({ env: { DEMO: '0', APP_SECRET: secret } })
  const { url } = await startPostgres({ dir: path.join(product.dataDir, 'postgres') })
  const context = await browser.newContext({ baseURL: product.url })
  try {
    execFileSync(process.execPath, ['packages/api/dist/admin.js', 'create', 'boss', 'boss@example.com'], {
      input: 'First-boss-1\n',
      env: { PATH: process.env['PATH'], DATABASE_URL: url, APP_SECRET: secret, PUBLIC_URL: product.url },
    })
    await enterAs(context, await signIn(product, 'boss', 'First-boss-1'))
    const page = await context.newPage()
    await followSystemMode(page)
    for (const { path: address, empty, what } of lists) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(address)
      if (empty) await expect(page.getByRole('main').getByText(empty)).toBeVisible()
      else await expect(page.getByRole('table', { name: what }).getByRole('row')).not.toHaveCount(0)
      await expectSoundEverywhere(page, `${address} of a new shop`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/overview')
    await expect(page.getByRole('heading', { level: 1, name: '概览' })).toBeVisible()
    await expect(page.getByRole('status', { name: /正在|加载/ })).toHaveCount(0)
    await expectSoundEverywhere(page, 'the overview of a new shop')
  } finally {
    await context.close()
    await product.stop()
    fs.rmSync(product.dataDir, { recursive: true, force: true })
  }
})
