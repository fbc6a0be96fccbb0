/** Demo catalogue: three categories, eight price groups. */
import type { Page } from '@playwright/test'
import type { Customer } from '../setup/customer.js'
import { demoAdmin, enterAs, newCustomer } from './people.js'
import { expectSound, followSystemMode, note, violationsOf } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(({ page }) => followSystemMode(page))

const summary = (page: Page) => page.getByRole('complementary', { name: '订单摘要' })
const card = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(`^${name}，`) })
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
  await page.reload()
  await expect(card(page, '东京计算型')).toBeVisible()
  await expectSound(page, 'a group of the sales page')
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
  const systems = page.getByRole('group', { name: '操作系统' }).locator('label')
  await expect(systems).toHaveText([/Debian/, /Ubuntu/])
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
  // A fault inside the frame is found.
  await frame.evaluate((element: HTMLIFrameElement) => (element.srcdoc += '<img src="/favicon.svg">'))
  expect(await violationsOf(page)).toEqual([expect.stringContaining('image-alt')])
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

test.describe('a customer', () => {
  let customer: Customer

  test.beforeAll(async () => {
    customer = await newCustomer()
    await customer.call('POST', '/ssh-keys', { name: '笔记本', publicKey })
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('orders with a key of his own, is told that the balance does not suffice, and how to recharge in place', async ({
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
    await expect(dialog.getByRole('button', { name: '充值 ¥29.00 并支付订单' })).toBeEnabled()
    await dialog.getByRole('button', { name: '稍后支付' }).click()
    const orders = await customer.call<{ status: string; autoRenewal: boolean }[]>('GET', '/orders')
    expect(orders.body.data).toMatchObject([{ status: 'PENDING', autoRenewal: false }])
  })
})

const publicKey = `ssh-ed25519 ${Buffer.concat([
  Buffer.from([0, 0, 0, 11]),
  Buffer.from('ssh-ed25519'),
  Buffer.from([0, 0, 0, 32]),
  Buffer.alloc(32, 7),
]).toString('base64')} laptop`
