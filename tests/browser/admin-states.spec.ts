import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { startPostgres } from '../../scripts/postgres.js'
import { signIn } from '../setup/customer.js'
import { startProduct } from '../setup/product.js'
import { enterAs } from './people.js'
import { expectSound, followSystemMode } from './states.js'
import { expect, test } from './test.js'

/** Null where there always is something. */
const lists = [
  { path: '/categories', what: '服务器分类', empty: '暂无服务器分类' },
  { path: '/groups', what: '服务器分组', empty: '暂无服务器分组' },
  { path: '/servers', what: '服务器', empty: '暂无服务器' },
  { path: '/price-groups', what: '价格组', empty: '暂无价格组' },
  { path: '/all-orders', what: '订单', empty: '暂无订单' },
  { path: '/refunds', what: '退款申请', empty: '暂无退款申请' },
  { path: '/hosts', what: '宿主机', empty: '暂无宿主机' },
  { path: '/images', what: '镜像', empty: '暂无镜像' },
  { path: '/ip-pools', what: 'IP 池', empty: '暂无IP 池' },
  { path: '/jobs', what: '任务', empty: '暂无任务' },
  { path: '/findings', what: '发现项', empty: '一切正常' },
  { path: '/users', what: '用户', empty: null },
  { path: '/announcements', what: '公告', empty: '暂无公告' },
  { path: '/audit', what: '审计记录', empty: null },
] as const

test('the first administrator of a new shop finds every screen empty, and what to do next', async ({ browser }) => {
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
      await page.goto(address)
      if (empty) await expect(page.getByRole('main').getByText(empty)).toBeVisible()
      else await expect(page.getByRole('table', { name: what }).getByRole('row')).not.toHaveCount(0)
    }
    await page.goto('/overview')
    await expect(page.getByRole('heading', { level: 1, name: '概览' })).toBeVisible()
    await expect(page.getByRole('status', { name: /正在|加载/ })).toHaveCount(0)
    await expectSound(page, 'the overview of a new shop')
  } finally {
    await context.close()
    await product.stop()
    fs.rmSync(product.dataDir, { recursive: true, force: true })
  }
})
