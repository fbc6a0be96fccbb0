import type { Page } from '@playwright/test'
import { enterAs, newCustomer, orderFor, payFor } from './people.js'
import { expectNarrow, expectSettled, picture } from './states.js'
import { expect, test } from './test.js'

/** One breaks nowhere by itself, the Chinese one everywhere. */
const names = ['production'.repeat(8), '生产环境数据库主节点'.repeat(8)]

test('a name of 80 characters widens no screen, breaks no date, and stands whole in its title', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(200)
  const { id } = await payFor(customer, await orderFor(customer, '香港入门型'))
  await enterAs(context, customer)
  for (const name of names) {
    await customer.call('PUT', `/orders/${id}/server-name`, { serverName: name })
    for (const address of ['/dashboard', '/orders', `/server-manage/${id}`]) {
      await page.goto(address)
      for (const width of [390, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await expectSettled(page)
        await picture(page, `long name ${address} ${width}`)
        // The page hears of its new width a moment later.
        await expectNarrow(page, `${address} at ${width} px`)
        await expect.poll(() => brokenDates(page), { message: `${address} at ${width} px` }).toEqual([])
      }
      const whole = page.getByRole('main').getByText(name, { exact: true }).first()
      await expect(whole).toBeVisible()
      // Where a list cuts it, the title has the whole.
      if (address.startsWith('/server-manage')) expect(await isCut(page, name)).toBe(false)
      else await expect(page.getByTitle(name, { exact: true }).first()).toBeVisible()
    }
  }
})

const brokenDates = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main time')]
      .filter((time) => time.getBoundingClientRect().height > 24)
      .map((time) => time.textContent ?? ''),
  )

const isCut = (page: Page, name: string): Promise<boolean> =>
  page
    .getByRole('heading', { name })
    .first()
    .evaluate((element) => element.scrollWidth > element.clientWidth)
