/** The notices: none, one that concerns everybody as a banner and on its page, and a page that could not be read. */
import { expect } from '@playwright/test'
import type { Customer } from '../setup/customer.js'
import { badGateway } from '../setup/proxy.js'
import { test } from './line.js'
import { demoAdmin, enterAs, newCustomer } from './people.js'
import { expectSettled, expectSound, followSystemMode, visit } from './states.js'

test('a notice stands under the bar until it is closed or read; unread, none and unreadable are told apart', async ({
  page,
  context,
  line,
}) => {
  await followSystemMode(page)
  const admin = await demoAdmin()
  await endNotices(admin)
  await enterAs(context, await newCustomer())
  await line.whileHolding(/announcements\.current/, async () => {
    await page.goto('/notices')
    await expect(page.getByRole('status', { name: '正在加载公告' })).toBeVisible()
    await expectSound(page, 'notices that are being read')
  })
  await expect(page.getByText('暂无公告')).toBeVisible()
  await expectSound(page, 'no notices')

  const title = `机房维护 ${Date.now()}`
  const body = '今晚 23:00 至次日 1:00 维护网络，期间可能短暂中断。'
  const made = await admin.call('POST', '/announcements', {
    title,
    body,
    level: 'warning',
    startsAt: new Date().toISOString(),
  })
  expect(made.status).toBe(200)
  await page.goto('/orders')
  const banner = page.getByRole('region', { name: '公告' })
  await expect(banner).toContainText(title)
  await expectSound(page, 'a page with a notice')
  await banner.getByRole('button', { name: '关闭公告' }).click()
  await expect(banner).toHaveCount(0)
  await page.reload()
  await expectSettled(page)
  await expect(banner).toHaveCount(0)
  await visit(page, '/notices')
  await expect(page.getByRole('article', { name: title })).toContainText(body)
  await expectSound(page, 'a notice')

  await endNotices(admin)
  // As a visitor who was never here: somebody signed in would be signed out by a profile that cannot be read.
  await page.evaluate(() => localStorage.clear())
  await line.whileAnswering(/announcements\.current/, badGateway, async () => {
    await page.goto('/notices')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('加载公告失败', { timeout: 15_000 })
    await expectSound(page, 'notices that could not be read')
  })
})

/** Other files leave notices behind; they end here. */
async function endNotices(admin: Customer): Promise<void> {
  const { content } = (await admin.call<{ content: { id: string }[] }>('GET', '/announcements?size=100')).body.data
  for (const { id } of content) await admin.call('POST', `/announcements/${id}/end`)
}
