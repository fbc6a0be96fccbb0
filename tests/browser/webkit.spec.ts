/** One journey, and a look at every kind of page, in Debian's WebKitGTK, the engine of Safari and of every browser on an iPhone. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { Builder, By, error, Key, until, type WebDriver } from 'selenium-webdriver'
import { freePort } from '../setup/free-port.js'
import { demoAdmin, demoCustomer, newCustomer, product } from './people.js'
import { covered, everyLook, signedInAs } from './reach.js'
import { expect, test } from './test.js'

const driverPath = '/usr/bin/WebKitWebDriver'
const browserPath = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const waitMs = 60_000

const programs: ChildProcess[] = []
let webkit: WebDriver

test.beforeAll(async () => {
  const isThere = [driverPath, browserPath, '/usr/bin/Xvfb'].every((file) => fs.existsSync(file))
  test.skip(!isThere, 'there is no WebKitGTK on this machine')
  const port = await freePort()
  const driver = spawn(driverPath, [`--port=${port}`, '--host=127.0.0.1'], {
    // Its sandbox wants namespaces that a container has not; the language is one that `Intl` knows.
    env: {
      ...process.env,
      DISPLAY: await openDisplay(),
      LANG: 'en_US.UTF-8',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    stdio: 'ignore',
  })
  programs.push(driver)
  const address = `http://127.0.0.1:${port}`
  const listens = async () => (await fetch(`${address}/status`)).ok
  await expect(async () => expect(await listens()).toBe(true)).toPass({ timeout: waitMs })
  webkit = await new Builder()
    .usingServer(address)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
    })
    .build()
  await webkit.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 1000 })
})
test.afterAll(async () => {
  await webkit?.quit()
  for (const program of programs) program.kill()
})

const shown = (path: string) => webkit.wait(until.elementLocated(By.xpath(path)), waitMs)
/** Once it can be pressed, stands still, is not drawn anew and no notification lies over it. */
async function press(path: string): Promise<void> {
  let before = ''
  const isPressed = async () => {
    const control = await shown(path)
    const stands = before === (before = JSON.stringify(await control.getRect()))
    if (!stands || !(await control.isEnabled()) || (await control.getAttribute('aria-disabled')) === 'true')
      return false
    await control.click()
    return true
  }
  await webkit.wait(() => isPressed().catch(onlyLater), waitMs)
}
const { ElementClickInterceptedError, ElementNotInteractableError, StaleElementReferenceError } = error
function onlyLater(refused: unknown): false {
  const passing = [ElementClickInterceptedError, ElementNotInteractableError, StaleElementReferenceError]
  if (passing.some((kind) => refused instanceof kind)) return false
  throw refused
}
const named = (name: string) => `//*[self::a or self::button][normalize-space(.)="${name}" or @aria-label="${name}"]`
const atAddress = (address: RegExp) => webkit.wait(until.urlMatches(address), waitMs)

test('in WebKit a customer signs in, chooses, buys a server, sees it set up and works in its console', async () => {
  const customer = await newCustomer()
  await customer.recharge(200)
  await webkit.get(`${product.url}/auth`)
  await (await shown('//input[@name="username"]')).sendKeys(customer.username)
  await (await shown('//input[@name="password"]')).sendKeys(customer.password, Key.ENTER)
  await atAddress(/\/dashboard$/)

  await press(named('产品'))
  await press('//tr[contains(., "香港标准型")]/td[2]')
  await webkit.wait(until.elementIsSelected(await shown('//tr[contains(., "香港标准型")]//input')), waitMs)
  await press('//label[contains(., "按天")]')
  await (await shown('//input[@type="password"]')).sendKeys('Anfangs-1x')
  await press(named('立即购买'))
  await press('//*[@role="dialog"]//button[.="支付"]')
  await atAddress(/\/server-install-progress\//)
  await press(named('打开控制台'))
  await atAddress(/\/server-manage\//)
  await shown('//*[.="在线"]')
  await press(named('监控'))
  await shown('//*[.="历史趋势"]')
  await press(named('电源'))
  await press('//*[@role="menuitem"][contains(., "重启")]')
  await webkit.wait(async () => /取消/.test(await webkit.switchTo().activeElement().getText()), waitMs)
  await webkit.actions().sendKeys(Key.ESCAPE).perform()
  await webkit.wait(async () => /电源/.test(await webkit.switchTo().activeElement().getText()), waitMs)
})

test('in WebKit every page is whole, and whatever can be pressed can be reached', async () => {
  const looks = await everyLook(await demoCustomer(), await demoAdmin())
  for (const { who, pages } of looks) {
    await webkit.get(`${product.url}/terms`)
    const user = who && (await who.call('GET', '/auth/profile')).body
    await webkit.executeScript(signedInAs, who?.token ?? null, JSON.stringify(user))
    for (const address of pages) {
      await webkit.get(product.url + address)
      await shown('//h1')
      const failed = '页面出错了'
      expect(await webkit.getTitle(), address).not.toContain(failed)
      await expect
        .poll(() => webkit.executeScript(`return (${covered.toString()})()`), { message: `${address}: out of reach` })
        .toEqual([])
      const tooWide = 'return document.documentElement.scrollWidth - innerWidth'
      await expect
        .poll(() => webkit.executeScript(tooWide), { message: `${address} scrolls sideways` })
        .toBeLessThanOrEqual(0)
    }
  }
})

/** A display that nobody looks at; its number is told once it is ready. */
async function openDisplay(): Promise<string> {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  programs.push(display)
  const told = display.stdio[3]
  if (!told) throw new Error('Xvfb tells no display')
  const [number] = await once(told, 'data')
  return `:${String(number).trim()}`
}
