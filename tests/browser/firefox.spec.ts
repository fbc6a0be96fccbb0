/** One journey in Debian's Firefox over WebDriver BiDi, which Playwright has only for its own builds. */
import fs from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'
import { demoAdmin, demoCustomer, newCustomer, product } from './people.js'
import { covered, everyLook, signedInAs } from './reach.js'
import { expect, test } from './test.js'

const executablePath = '/usr/bin/firefox-esr'
const waitMs = 60_000

let firefox: Browser
test.beforeAll(async () => {
  test.skip(!fs.existsSync(executablePath), 'there is no firefox-esr on this machine')
  firefox = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: waitMs })
})
test.afterAll(() => firefox?.close())

test('in Firefox a customer signs in, buys a server, sees it set up and opens its console', async () => {
  const customer = await newCustomer()
  await customer.recharge(200)
  const page = await firefox.newPage()
  page.setDefaultTimeout(waitMs)
  await page.setViewport({ width: 1440, height: 900 })
  const faults: string[] = []
  page.on('pageerror', (fault) => faults.push(String(fault)))

  const press = (role: string, name: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click()
  const atAddress = (address: RegExp) => expect.poll(() => page.url()).toMatch(address)

  await page.goto(`${product.url}/auth`)
  await page.locator('input[name="username"]').fill(customer.username)
  await page.locator('input[name="password"]').fill(customer.password)
  await page.locator('form button[type="submit"]').click()
  await atAddress(/\/dashboard$/)

  await press('link', '产品')
  await page.locator('input[type="password"]').fill('Anfangs-1x')
  await press('button', '立即购买')
  await page.locator('::-p-xpath(//*[@role="dialog"]//button[.="支付"])').click()
  await atAddress(/\/server-install-progress\//)
  await press('link', '打开控制台')
  await atAddress(/\/server-manage\//)
  await page.locator('::-p-text(在线)').wait()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(faults, 'zod does not even ask whether it may make code of text').toEqual([])
})

test('in Firefox every page is whole, and whatever can be pressed can be reached', async () => {
  const page = await firefox.newPage()
  page.setDefaultTimeout(waitMs)
  await page.setViewport({ width: 1440, height: 900 })
  for (const { who, pages } of await everyLook(await demoCustomer(), await demoAdmin())) {
    await page.goto(`${product.url}/terms`)
    const user = who && (await who.call('GET', '/auth/profile')).body
    await page.evaluate(signedInAs, who?.token ?? null, JSON.stringify(user))
    for (const address of pages) {
      await page.goto(product.url + address)
      await page.locator('h1').wait()
      expect(await page.title(), address).not.toContain('页面出错了')
      await expect.poll(() => page.evaluate(covered), { message: `${address}: out of reach` }).toEqual([])
      const tooWide = () => document.documentElement.scrollWidth - innerWidth
      await expect.poll(() => page.evaluate(tooWide), { message: `${address} scrolls sideways` }).toBeLessThanOrEqual(0)
    }
  }
})
