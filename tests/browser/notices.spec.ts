import type { Customer } from '../setup/customer.js'
import { demoAdmin, enterAs, newCustomer } from './people.js'
import { expectSettled, visit } from './states.js'
import { expect, test } from './test.js'

test('a notice that an administrator gives stands under the bar until it is closed, and then for good not', async ({
  page,
  context,
}) => {
  const admin = await demoAdmin()
  await endNotices(admin)
  await enterAs(context, await newCustomer())
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
  await banner.getByRole('button', { name: '关闭公告' }).click()
  await expect(banner).toHaveCount(0)
  await page.reload()
  await expectSettled(page)
  await expect(banner).toHaveCount(0)
  await visit(page, '/notices')
  await expect(page.getByRole('article', { name: title })).toContainText(body)

  await endNotices(admin)
})

/** Other files leave notices behind. */
async function endNotices(admin: Customer): Promise<void> {
  const { content } = (await admin.call<{ content: { id: string }[] }>('GET', '/announcements?size=100')).body.data
  for (const { id } of content) await admin.call('POST', `/announcements/${id}/end`)
}
