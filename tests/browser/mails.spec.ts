/** Shown as a mail reader shows them. */
import { waitFor } from '../setup/customer.js'
import { demoAdmin, newCustomer, orderFor, payFor, product } from './people.js'
import { sidewaysScroll, violationsOf } from './states.js'
import { expect, test } from './test.js'

type Mail = { to: string[]; subject: string; text: string; html: string }

async function mailTo(address: string, subject: string): Promise<Mail> {
  let found: Mail | undefined
  await waitFor(async () => {
    const reply = await fetch(`${product.url}/dev/mailbox`, { signal: AbortSignal.timeout(5_000) })
    const mails = (await reply.json()) as Mail[]
    found = mails.find((mail) => mail.to.includes(address) && mail.subject.startsWith(subject))
    return found !== undefined
  }, `the mail ${subject}`)
  return found!
}

test('a mail reads well in light and dark, wide and narrow, and its button leads into the product', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer()
  const address = `${customer.username}@example.com`
  await customer.recharge(100)
  const order = await payFor(customer, await orderFor(customer, '香港入门型'))
  // Of a suspended one no mail says that it is ready.
  await mailTo(address, '服务器已开通')
  await customer.call('POST', '/auth/forgot-password', { email: address })
  const admin = await demoAdmin()
  await admin.call('PUT', `/orders/${order.id}/status?status=SUSPENDED`, { reason: '端口扫描' })

  for (const subject of ['服务器已开通', '服务器已暂停', '重置密码验证码']) {
    const { html } = await mailTo(address, subject)
    await page.setContent(html)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect(background).toBe(colorScheme === 'light' ? 'rgb(246, 247, 251)' : 'rgb(14, 16, 24)')
      for (const width of [600, 390]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await sidewaysScroll(page)).toEqual([])
      }
      // A letter has no landmarks.
      const violations = await violationsOf(page, ['wcag2a', 'wcag2aa'])
      expect.soft(violations, `${subject}, ${colorScheme}`).toEqual([])
    }
  }

  const { html } = await mailTo(address, '服务器已开通')
  await page.setContent(html)
  const link = await page.getByRole('link', { name: '打开控制台' }).getAttribute('href')
  const visitor = await browser.newContext()
  const opened = await visitor.newPage()
  await opened.goto(link!)
  // A visitor signs in first, and is led there.
  await expect(opened).toHaveURL(`${product.url}/auth?next=${encodeURIComponent(new URL(link!).pathname)}`)
  await visitor.close()
})
