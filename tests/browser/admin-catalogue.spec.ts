import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { demoAdmin, enterAs } from './people.js'
import { expect, test } from './test.js'

test.beforeEach(async ({ context }) => enterAs(context, await demoAdmin()))

const unique = (word: string) => `${word}${randomBytes(4).toString('hex')}`
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const save = (dialog: Locator) => dialog.getByRole('button', { name: '保存' }).click()

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text)
  await expect(page).toHaveURL(new RegExp(`q=${encodeURIComponent(text)}`))
}

/** Deletes the row and gives the dialog. */
async function confirmDelete(page: Page, name: string): Promise<Locator> {
  await rowOf(page, name).getByRole('button', { name: '删除' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: '确认删除' }).click()
  return dialog
}

test('a category is added, found, edited and deleted', async ({ page }) => {
  const name = unique('分类')
  await page.goto('/categories')
  await page.getByRole('button', { name: '新增' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称').fill(name)
  await dialog.getByLabel('排序').fill('50')
  await save(dialog)
  await expect(page.getByText('服务器分类已创建')).toBeVisible()

  await search(page, name)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('分类管理 (1)')
  await rowOf(page, name).getByRole('button', { name: '编辑' }).click()
  await dialog.getByLabel('描述').fill('给测试用')
  await dialog.getByLabel('启用').uncheck({ force: true })
  await save(dialog)
  await expect(rowOf(page, name)).toContainText('停用')
  await expect(rowOf(page, name)).toContainText('给测试用')
  await confirmDelete(page, name)
  await expect(page.getByText('没有符合条件的服务器分类')).toBeVisible()
})

test('a group is added, edited and deleted', async ({ page }) => {
  const name = unique('分组')
  await page.goto('/groups')
  await page.getByRole('button', { name: '新增' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称').fill(name)
  await dialog.getByLabel('所属分类').selectOption({ label: '云服务器' })
  await dialog.getByLabel('城市').fill('杭州')
  await save(dialog)
  await expect(page.getByText('服务器分组已创建')).toBeVisible()
  await search(page, name)
  await expect(rowOf(page, name)).toContainText('杭州')
  await rowOf(page, name).getByRole('button', { name: '编辑' }).click()
  await dialog.getByLabel('地域').fill('华东')
  await save(dialog)
  await expect(rowOf(page, name)).toContainText('华东 · 杭州')
  await confirmDelete(page, name)
  await expect(page.getByText('服务器分组已删除')).toBeVisible()
})

test('a dedicated server is added, edited and deleted by its typed address; a sold one says why it stays', async ({
  page,
}) => {
  const ip = `198.51.100.${randomBytes(1)[0]}`
  await page.goto('/servers')
  await page.getByRole('button', { name: '新增' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('服务器分组').selectOption({ label: '物理服务器 / 洛杉矶 GIA' })
  await dialog.getByLabel('IP地址').fill(ip)
  await dialog.getByLabel('密码', { exact: true }).fill('Geheim-123')
  await dialog.getByLabel('操作系统').fill('Debian 12')
  await dialog.getByLabel('CPU').fill('4')
  await dialog.getByLabel('内存').fill('8')
  await dialog.getByLabel('磁盘', { exact: true }).fill('100')
  await save(dialog)
  await expect(page.getByText('服务器已创建')).toBeVisible()

  await search(page, ip)
  await expect(rowOf(page, ip)).toContainText('未售')
  await rowOf(page, ip).getByRole('button', { name: '编辑' }).click()
  await dialog.getByLabel('内存').fill('16')
  await save(dialog)
  await expect(rowOf(page, ip)).toContainText('16 GB')

  await rowOf(page, ip).getByRole('button', { name: '删除' }).click()
  const confirm = page.getByRole('alertdialog')
  await confirm.getByRole('textbox').fill(ip)
  await confirm.getByRole('button', { name: '确认删除' }).click()
  await expect(page.getByText('服务器已删除')).toBeVisible()

  await page.goto('/servers?q=203.0.113.11')
  await rowOf(page, '203.0.113.11').getByRole('button', { name: '删除' }).click()
  await confirm.getByRole('textbox').fill('203.0.113.11')
  await confirm.getByRole('button', { name: '确认删除' }).click()
  await expect(confirm.getByText('仍有订单使用此服务器，无法删除')).toBeVisible()
})

test('a price group is priced, discounted, restored, previewed and deleted', async ({ page }) => {
  const name = unique('套餐')
  await page.goto('/price-groups')
  await page.getByRole('button', { name: '新增' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称', { exact: true }).fill(name)
  await dialog.getByLabel('服务器分组').selectOption({ label: '云服务器 / 上海 BGP' })
  const prices = { 每小时: '0.1', 每天: '2', 每月: '50', 每季: '140', 每半年: '270', 每年: '500' }
  for (const [label, price] of Object.entries(prices)) await dialog.getByLabel(label).fill(price)
  await dialog.getByLabel('启用折扣').check({ force: true })
  await dialog.getByLabel('折扣百分比').fill('20')
  await dialog.getByRole('radio', { name: '结构化配置' }).check({ force: true })
  await dialog.getByRole('button', { name: '新增系统' }).click()
  await dialog.getByLabel('系统名称').fill('Debian')
  await dialog.getByLabel('版本').fill('12')
  await save(dialog)
  await expect(page.getByText('价格组已创建')).toBeVisible()

  await search(page, name)
  await expect(rowOf(page, name)).toContainText('省 20%')
  await expect(rowOf(page, name)).toContainText('¥40.00')
  await rowOf(page, name).getByRole('button', { name: '预览' }).click()
  await expect(dialog).toContainText('Debian 12')
  await dialog.getByRole('button', { name: '关闭' }).last().click()

  const menu = async (entry: string) => {
    await rowOf(page, name).getByRole('button', { name: '更多操作' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await menu('恢复原价')
  await page.getByRole('alertdialog').getByRole('button', { name: '确认恢复原价' }).click()
  await expect(rowOf(page, name)).not.toContainText('省 20%')
  await menu('应用折扣')
  await dialog.getByLabel('折扣百分比').fill('10')
  await dialog.getByRole('button', { name: '应用折扣' }).click()
  await expect(rowOf(page, name)).toContainText('¥45.00')
  await menu('删除')
  await page.getByRole('alertdialog').getByRole('button', { name: '确认删除' }).click()
  await expect(page.getByText('价格组已删除')).toBeVisible()

  await page.getByRole('button', { name: '清除筛选' }).click()
  await rowOf(page, '香港标准型').getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  const refused = page.getByRole('alertdialog')
  await refused.getByRole('button', { name: '确认删除' }).click()
  await expect(refused.getByText('仍有订单使用此项，无法删除')).toBeVisible()
})

test('the HTML of a sales page is shown without what could run', async ({ page }) => {
  await page.goto('/price-groups')
  await rowOf(page, '香港入门型').getByRole('button', { name: '香港入门型 的更多操作' }).click()
  await page.getByRole('menuitem', { name: '编辑销售页' }).click()
  await page
    .getByLabel('HTML 内容')
    .fill('<p>适合建站</p><img src="x" onerror="parent.hacked = 1"><script>hacked</script>')
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('适合建站')).toBeVisible()
  await expect(frame.locator('script, [onerror]')).toHaveCount(0)
  await expect(page.locator('iframe:not([sandbox*="allow-scripts"])[sandbox]')).toHaveCount(1)
})

test('a link of a sales page opens in a window of its own, which can run scripts, and the sales page stays', async ({
  page,
}) => {
  await page.goto('/price-groups')
  await rowOf(page, '香港入门型').getByRole('button', { name: '香港入门型 的更多操作' }).click()
  await page.getByRole('menuitem', { name: '编辑销售页' }).click()
  await page.getByLabel('HTML 内容').fill('<p>适合建站，<a href="/terms">服务条款</a></p>')
  const frame = page.frameLocator('iframe')
  const opened = page.waitForEvent('popup')
  await frame.getByRole('link', { name: '服务条款' }).click()
  const terms = await opened
  await expect(terms.getByRole('heading', { level: 1, name: '服务条款' })).toBeVisible()
  await expect(terms.getByText('登录与购买需要浏览器启用 JavaScript。')).toHaveCount(0)
  expect(await terms.evaluate(() => opener)).toBeNull()
  await expect(frame.getByText('适合建站')).toBeVisible()
})

test('the browser’s way back asks first while a sales page is unsaved, and goes back when told to', async ({
  page,
}) => {
  await page.goto('/price-groups')
  await page.getByRole('button', { name: '香港标准型 的更多操作' }).click()
  await page.getByRole('menuitem', { name: '编辑销售页' }).click()
  const html = page.getByLabel('HTML 内容')
  const question = page.getByRole('alertdialog', { name: '有未保存的修改' })
  await html.pressSequentially('x')
  const written = await html.inputValue()
  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: '取消' }).click()
  await expect(html).toHaveValue(written)
  await expect(page).toHaveURL(/sales-page$/)
  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: '离开且不保存' }).click()
  await expect(page).toHaveURL(/\/price-groups$/)
  await expect(html).toBeHidden()
})
