/** The sales page: choosing, configuring, what it costs, buying. Demo catalogue: three categories, eight price groups. */
import { expect, test, type Page } from '@playwright/test'
import type { Customer } from '../setup/customer.js'
import { openBooks } from '../setup/books.js'
import { demoAdmin, enterAs, newCustomer, product } from './people.js'
import {
  expectSettled,
  expectSound,
  expectUnknown,
  followSystemMode,
  note,
  violationsOf,
  visit,
  whileFailing,
  whileSlow,
} from './states.js'

test.beforeEach(({ page }) => followSystemMode(page))

const summary = (page: Page) => page.getByRole('complementary', { name: '订单摘要' })
const card = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const typed = (page: Page, name: string) => page.getByRole('textbox', { name: `${name}数值` })
const slider = (page: Page, name: string) => page.getByRole('slider', { name })

async function choose(page: Page, group: string, priceGroup: string) {
  const rail = page.getByRole('navigation', { name: '产品分类' })
  const entry = rail.getByRole('button', { name: group })
  await expect(rail).toBeVisible()
  const closed = rail.locator('button[aria-expanded="false"]')
  while (!(await entry.isVisible()) && (await closed.count()) > 0) await closed.first().click()
  await entry.click()
  await card(page, priceGroup).check({ force: true })
}

test('the first category is open, its first group chosen, and a group shows its price groups', async ({ page }) => {
  await page.goto('/sales')
  const rail = page.getByRole('navigation', { name: '产品分类' })
  await expect(rail.locator('button[aria-expanded]')).toHaveText(['云服务器', '高性能云', '物理服务器'])
  await expect(rail.locator('button[aria-expanded="true"]')).toHaveText(['云服务器'])
  await expect(rail.getByRole('button', { name: '香港 CN2' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('group', { name: '选择套餐' }).getByRole('radio')).toHaveCount(2)
  await rail.getByRole('button', { name: '高性能云' }).click()
  await rail.getByRole('button', { name: '东京 IIJ' }).click()
  await expect(card(page, '东京计算型')).toBeVisible()
  await expect(page).toHaveURL(/\?group=/)
  await expect(page.getByText('有货').first()).toBeVisible()
  // Reloaded, the same group stands there.
  await page.reload()
  await expect(card(page, '东京计算型')).toBeVisible()
  await expectSound(page, 'a group of the sales page')
})

test('without a group there is a welcome page with four sections and the way to contact', async ({ page }) => {
  await page.goto('/sales')
  await page.getByRole('button', { name: '产品概览' }).click()
  for (const section of ['核心规格', '技术特性', '使用场景', '服务保障'])
    await expect(page.getByRole('heading', { name: section })).toBeVisible()
  await expectSound(page, 'the welcome page')
  await page.getByRole('main').getByRole('button', { name: '联系我们' }).click()
  await expect(page.getByRole('dialog', { name: '联系我们' })).toBeVisible()
})

test('a structured sales document locks the configuration and its systems; HTML is shown in a frame without scripts', async ({
  page,
}) => {
  await page.goto('/sales')
  await choose(page, '香港 CN2', '香港入门型')
  await expect(page.getByText('该套餐为固定配置')).toBeVisible()
  for (const [name, value] of [
    ['CPU', '1'],
    ['内存', '1'],
    ['存储', '20'],
    ['带宽', '5'],
    ['IP 数量', '1'],
  ] as const) {
    await expect(slider(page, name)).toBeDisabled()
    await expect(slider(page, name)).toHaveValue(value)
    await expect(typed(page, name)).toBeDisabled()
  }
  await expect(page.getByLabel('操作系统').locator('option')).toHaveText(['Debian', 'Ubuntu'])
  await expectSound(page, 'a locked configuration')

  await choose(page, '香港 CN2', '香港标准型')
  await expect(slider(page, 'CPU')).toBeEnabled()
  const frame = page.getByTitle('香港标准型 介绍')
  await expect(frame).toBeVisible()
  const sandbox = (await frame.getAttribute('sandbox')) ?? 'none'
  expect(sandbox).not.toContain('allow-scripts')
  await expect(frame.contentFrame().getByText('三网直连，平均延迟 35 ms')).toBeVisible()
  await expectSound(page, 'a price group with a page of its own')
  expect(await frame.getAttribute('sandbox')).toBe(sandbox)
  // And that was no empty word: a fault inside the frame is found.
  await frame.evaluate((element: HTMLIFrameElement) => (element.srcdoc += '<img src="/favicon.svg">'))
  expect(await violationsOf(page)).toEqual([expect.stringContaining('image-alt')])
})

test('a group that sells nothing says so and where else to look', async ({ page }) => {
  const admin = await demoAdmin()
  const [category] = (await admin.call<{ id: string }[]>('GET', '/categories/active')).body.data
  const name = `空分组 ${Date.now()}`
  const made = await admin.call<{ id: string }>('POST', '/groups', { name, categoryId: category!.id, sortOrder: 99 })
  await page.goto(`/sales?group=${made.body.data.id}`)
  await expect(page.getByText('该分组暂无在售套餐')).toBeVisible()
  await expectSound(page, 'a group without price groups')
  await admin.call('DELETE', `/groups/${made.body.data.id}`)
})

test('the preview that an administrator sees before saving is as sound as the page that customers get', async ({
  page,
  context,
}) => {
  await enterAs(context, await demoAdmin())
  await page.goto('/price-groups')
  await page.getByRole('row').filter({ hasText: '香港标准型' }).getByRole('button', { name: '预览' }).click()
  const dialog = page.getByRole('dialog', { name: '销售页预览 · 香港标准型' })
  await expect(dialog.frameLocator('iframe').getByText('三网直连，平均延迟 35 ms')).toBeVisible()
  await expectSound(page, 'the preview of a sales page')
})

test('the sliders have their limits, and numbers out of them are brought back', async ({ page }) => {
  await page.goto('/sales')
  await choose(page, '香港 CN2', '香港标准型')
  for (const [name, min, max, step] of [
    ['CPU', 1, 32, 1],
    ['内存', 1, 128, 1],
    ['存储', 20, 2000, 10],
    ['带宽', 1, 1000, 1],
    ['IP 数量', 1, 10, 1],
  ] as const) {
    await expect(slider(page, name)).toHaveAttribute('min', String(min))
    await expect(slider(page, name)).toHaveAttribute('max', String(max))
    await expect(slider(page, name)).toHaveAttribute('step', String(step))
    await typed(page, name).fill('99999')
    await typed(page, name).press('Enter')
    await expect(slider(page, name)).toHaveValue(String(max))
    await typed(page, name).fill('0')
    await typed(page, name).press('Enter')
    await expect(slider(page, name)).toHaveValue(String(min))
  }
  await typed(page, '存储').fill('57')
  await typed(page, '存储').press('Enter')
  await expect(slider(page, '存储')).toHaveValue('60')
  await slider(page, 'CPU').focus()
  await page.keyboard.press('ArrowRight')
  await expect(slider(page, 'CPU')).toHaveValue('2')
})

test('periods show their price, the saving and what is recommended, and the quote follows each choice', async ({
  page,
}) => {
  await page.goto('/sales')
  await choose(page, '上海 BGP', '上海标准型')
  const period = (name: string) =>
    page
      .getByRole('group', { name: '计费周期' })
      .locator('label')
      .filter({ has: page.getByRole('radio', { name, exact: true }) })
  await expect(page.getByRole('group', { name: '计费周期' }).getByRole('radio')).toHaveCount(6)
  await expect(period('按月')).toContainText('推荐')
  // 3 × 88 = 264 against 255, 6 × 88 = 528 against 488, 12 × 88 = 1056 against 880: rounded half up, less than 20 %.
  await expect(period('按季')).toContainText('省 3%')
  await expect(period('按半年')).toContainText('省 8%')
  await expect(period('按年')).toContainText('省 17%')
  await expect(period('按年')).not.toContainText('推荐')
  await period('按月').getByRole('radio').check({ force: true })
  await expect(summary(page)).toContainText('¥88.00')
  await typed(page, 'CPU').fill('4')
  await typed(page, 'CPU').press('Enter')
  // Two more cores at ¥22.
  await expect(summary(page)).toContainText('CPU ×2')
  await expect(summary(page)).toContainText('¥132.00')

  await choose(page, '东京 IIJ', '东京轻量型')
  await period('按月').getByRole('radio').check({ force: true })
  // 20 % off ¥49 and off every other period.
  await expect(summary(page)).toContainText('优惠')
  await expect(summary(page)).toContainText('¥39.20')
  await expect(period('按天')).toContainText('省 20%')
  await expect(period('按年')).toContainText('推荐')
})

test('the recommended month is chosen where it is sold; where it is not, buying asks for a period, once', async ({
  page,
}) => {
  await page.goto('/sales')
  await choose(page, '香港 CN2', '香港入门型')
  const month = page.getByRole('radio', { name: '按月' })
  await expect(month).toBeChecked()
  await expect(summary(page)).toContainText('¥29.00')

  // The administration asks for six prices; an older price group may have fewer.
  const books = await openBooks(product)
  const sellByMonth = (fen: number) =>
    books.query(`update price_groups set monthly_fen = $1 where name = '香港入门型'`, [fen])
  await sellByMonth(0)
  try {
    await expect(async () => {
      await page.goto('/sales')
      await choose(page, '香港 CN2', '香港入门型')
      await expect(month).toHaveCount(0, { timeout: 1_000 })
    }).toPass()
    await expect(page.getByRole('radio', { name: '按小时' })).toBeVisible()
    await summary(page).getByRole('button', { name: '立即购买' }).click()
    await expect(summary(page).getByRole('alert')).toHaveText('请先选择价格')
    await expect(page.getByText('请先选择价格').filter({ visible: true })).toHaveCount(1)
    await expectSound(page, 'a purchase without a period')
    await page.getByRole('radio', { name: '按小时' }).check({ force: true })
    await expect(summary(page).getByRole('alert')).toHaveCount(0)
  } finally {
    await sellByMonth(29_00)
    await books.end()
  }
})

test('buying asks for a good port and password, and a visitor to sign in', async ({ page }) => {
  await page.goto('/sales')
  await choose(page, '香港 CN2', '香港入门型')
  const buy = summary(page).getByRole('button', { name: '立即购买' })
  await expect(page.getByRole('switch', { name: '自动续费' })).toBeChecked()

  await page.getByLabel('SSH端口').fill('80')
  await expect(page.getByText('端口需为1024-65535的整数')).toBeVisible()
  await buy.click()
  await expect(summary(page).getByRole('alert')).toHaveText('端口需为1024-65535的整数')
  await page.getByRole('button', { name: '随机端口' }).click()
  const port = Number(await page.getByLabel('SSH端口').inputValue())
  expect(port).toBeGreaterThanOrEqual(1024)
  expect(port).toBeLessThanOrEqual(65_535)

  const password = page.getByLabel('初始密码')
  for (const [wrong, fault] of [
    ['Ab1', '密码长度至少需要8个字符'],
    ['abcdefg1', '密码必须包含大写字母'],
    ['ABCDEFG1', '密码必须包含小写字母'],
    ['Abcdefgh', '密码必须包含数字'],
  ] as const) {
    await password.fill(wrong)
    await expect(page.getByText(fault)).toBeVisible()
  }
  await page.getByRole('button', { name: '生成密码' }).click()
  expect(await password.inputValue()).toMatch(/^[A-HJ-NP-Za-km-z2-9]{12}$/)

  await page.getByLabel('操作系统').selectOption('Ubuntu')
  await expect(page.getByLabel('系统版本')).toHaveValue('24.04 LTS')
  await buy.click()
  await expect(note(page, '请先登录后再购买')).toBeVisible()
  await expect(page).toHaveURL(/\/auth$/)
})

test.describe('a customer', () => {
  let customer: Customer

  test.beforeAll(async () => {
    customer = await newCustomer()
    await customer.call('POST', '/ssh-keys', { name: '笔记本', publicKey })
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('orders with a key of his own, is told that the balance does not suffice, and finds the way to recharge', async ({
    page,
  }) => {
    await page.goto('/sales')
    await choose(page, '香港 CN2', '香港入门型')
    await page.getByRole('radio', { name: '按月' }).check({ force: true })
    await page.getByRole('checkbox', { name: '笔记本' }).check()
    await page.getByRole('switch', { name: '自动续费' }).uncheck({ force: true })
    await summary(page).getByRole('button', { name: '立即购买' }).click()
    await expect(note(page, '订单创建成功')).toBeVisible()
    const dialog = page.getByRole('dialog', { name: '支付订单' })
    await expect(dialog).toContainText('¥29.00')
    await expect(dialog).toContainText('余额不足，请先充值（还差 ¥29.00）')
    await expectSound(page, 'paying without enough')
    await expect(dialog.getByRole('link', { name: '前往充值' })).toHaveAttribute('href', '/recharge?amount=29.00')
    await dialog.getByRole('button', { name: '稍后支付' }).click()
    const orders = await customer.call<{ status: string; autoRenewal: boolean }[]>('GET', '/orders')
    expect(orders.body.data).toMatchObject([{ status: 'PENDING', autoRenewal: false }])
  })

  test('is told when the order cannot be placed', async ({ page }) => {
    await page.goto('/sales')
    await choose(page, '香港 CN2', '香港入门型')
    await page.getByRole('radio', { name: '按月' }).check({ force: true })
    await whileFailing(page, /trpc\/orders\.place/, async () => {
      await summary(page).getByRole('button', { name: '立即购买' }).click()
      await expectUnknown(summary(page))
    })
  })
})

test('while the shop is read there is a skeleton, and where it cannot be read a sentence and another try', async ({
  page,
}) => {
  await page.goto('/')
  await expectSettled(page)
  await whileSlow(page, async () => {
    await visit(page, '/sales')
    await expect(page.getByRole('status', { name: '正在加载产品' })).toBeVisible()
  })
  await expect(page.getByRole('group', { name: '选择套餐' })).toBeVisible()

  await page.goto('/')
  await expectSettled(page)
  await whileFailing(page, /trpc\/shop/, async () => {
    await visit(page, '/sales')
    // The three reads travel together; the first that failed gives the sentence.
    await expect(page.getByRole('alert')).toContainText('获取服务器类别失败', { timeout: 15_000 })
    await expectSound(page, 'the shop that could not be read')
  })
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page.getByRole('group', { name: '选择套餐' })).toBeVisible()
})

const publicKey = `ssh-ed25519 ${Buffer.concat([
  Buffer.from([0, 0, 0, 11]),
  Buffer.from('ssh-ed25519'),
  Buffer.from([0, 0, 0, 32]),
  Buffer.alloc(32, 7),
]).toString('base64')} laptop`
