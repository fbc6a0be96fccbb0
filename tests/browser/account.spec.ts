import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { signIn, waitFor, type Customer } from '../setup/customer.js'
import { demoAdmin, enterAs, newCustomer, product } from './people.js'
import { expectSound, followSystemMode, note, visit, whileFailing, whileUnanswered } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(({ page }) => followSystemMode(page))

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: '主导航' })

async function openMenu(page: Page, name: string) {
  // The menu's code comes a moment after the page.
  await page.locator('button[aria-haspopup]', { hasText: name }).click()
  return page.getByRole('menu')
}

test.describe('a visitor', () => {
  test('sees only home and products, a theme switcher and the way to sign in', async ({ page }) => {
    await page.goto('/')
    await expect(mainNavigation(page).getByRole('link')).toHaveText(['首页', '产品'])
    await expect(mainNavigation(page).getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('button', { name: '主题设置' })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: '登录' })).toHaveAttribute('href', '/auth')
  })
})

test('a page that breaks is caught: the rest stays, and loading it again mends it', async ({ page }) => {
  await page.goto('/')
  await whileFailing(page, /assets\/SalesPage/, async () => {
    await mainNavigation(page).getByRole('link', { name: '产品' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('页面出错了')
    await expect(mainNavigation(page)).toBeVisible()
    await expectSound(page, 'a broken page')
  })
  await page.getByRole('button', { name: '重新加载' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('产品')
})

test.describe('a page that the browser has translated', () => {
  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      const untouched = 'script, style, noscript, title, textarea, font'
      function translate() {
        const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
        const found: Text[] = []
        while (texts.nextNode()) if (texts.currentNode instanceof Text) found.push(texts.currentNode)
        for (const text of found) {
          if (text.data.trim() === '' || text.parentElement?.closest(untouched)) continue
          const font = document.createElement('font')
          font.append(text.data)
          text.replaceWith(font)
        }
      }
      // As Chromium and Edge do it: each text gives way to an element, also what comes later.
      new MutationObserver(translate).observe(document, { childList: true, subtree: true })
    }),
  )

  test('does what is pressed, and tells what became of it', async ({ page }) => {
    await page.goto('/auth')
    await page.getByLabel('用户名').fill('demo')
    await page.getByLabel('密码', { exact: true }).fill('not-the-password')
    await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('用户名或密码错误')
    await expect(page.locator('main font').first()).toBeVisible()
    await page.getByRole('link', { name: '忘记密码' }).click()
    await expect(page.getByRole('heading', { name: '找回密码' })).toBeVisible()
  })
})

test('where the browser keeps nothing for the site, one signs in for as long as the page is open', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  const customer = await newCustomer()
  await page.goto('/auth')
  await page.getByLabel('用户名').fill(customer.username)
  await page.getByLabel('密码', { exact: true }).fill(customer.password)
  await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('控制台')
})

test('a page that comes back as it was left knows that its session has ended meanwhile', async ({ page, context }) => {
  await enterAs(context, await newCustomer())
  // What is read of them is kept, and looks at what is stored.
  const read = page.waitForResponse(/accounts\.me/)
  await page.goto('/dashboard')
  await read
  await expect(page.getByRole('button', { name: '用户菜单' })).toBeVisible()
  await expect(page.getByRole('main').getByText('暂无服务器').first()).toBeVisible()
  await page.evaluate(() => {
    // As a tab does that signs out, while this page is kept for the way back and hears nothing.
    localStorage.setItem('met-before', 'left')
    localStorage.removeItem('token')
    localStorage.removeItem('user')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(page.getByRole('banner').getByRole('link', { name: '登录' })).toBeVisible()
})

test('an administrator has the server management after the dashboard, and its four screens', async ({
  page,
  context,
}) => {
  await enterAs(context, await demoAdmin())
  await page.goto('/dashboard')
  const bar = mainNavigation(page).locator('> *')
  await expect(bar).toHaveText([/^首页$/, /^控制台$/, /^服务器管理$/, /^商务/, /^机房/, /^系统$/, /^产品$/, /^财务$/])
  const menu = await openMenu(page, '服务器管理')
  await expect(menu.getByRole('menuitem')).toHaveText(['分类管理', '分组管理', '服务器列表', '价格组'])
  await menu.getByRole('menuitem', { name: '价格组' }).click()
  await expect(page).toHaveURL(/\/price-groups$/)
  await expect(page.getByText('访问被拒绝')).toHaveCount(0)
})

test.describe('registration', () => {
  test('leads to the dashboard, keeps token and user, and refuses a name that is taken', async ({ page }) => {
    const username = `r${randomBytes(6).toString('hex')}`
    await page.goto('/auth')
    await page.getByRole('button', { name: '立即注册' }).click()
    const fill = async (name: string) => {
      await page.getByLabel('用户名').fill(name)
      await page.getByLabel('邮箱').fill(`${username}@example.com`)
      await page.getByLabel('密码', { exact: true }).fill('Geheim-123')
      await page.getByLabel('确认密码').fill('Geheim-123')
    }
    await fill('demo')
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText('用户已存在')
    await fill(` ${username} `)
    await whileUnanswered(page, async () => {
      await page.getByRole('button', { name: '注册', exact: true }).click()
      await expect(page.getByRole('button', { name: '注册中…' })).toBeDisabled()
    })
    await expect(page).toHaveURL(/\/dashboard$/)
    const kept = await page.evaluate(() => ({ ...localStorage }))
    expect(kept['token']).toMatch(/^[\w-]{43}$/)
    expect(JSON.parse(kept['user']!)).toMatchObject({ username, role: 'USER', isAdmin: false })
    await page.getByRole('button', { name: `用户菜单 ${username}` }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['个人资料', '退出登录'])
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(page).toHaveURL(/\/auth$/)
    expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([
      null,
      null,
    ])
  })
})

test.describe('signing in', () => {
  test('with blanks around the name leads to the dashboard, and guest pages lead there from then on', async ({
    page,
  }) => {
    await page.goto('/auth')
    await page.getByLabel('用户名').fill(' demo ')
    await page.getByLabel('密码', { exact: true }).fill('Demo-user-1')
    await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    for (const address of ['/auth', '/forgot-password']) {
      await page.goto(address)
      await expect(page).toHaveURL(/\/dashboard$/)
    }
  })
})

test.describe('a forgotten password', () => {
  test('is set anew in two steps with the code from the mailbox, and signs in', async ({ page }) => {
    const customer = await newCustomer()
    const email = `${customer.username}@example.com`
    await page.clock.install()
    await page.goto('/forgot-password')
    await page.getByLabel('邮箱').fill(email)
    await page.getByRole('button', { name: '发送验证码' }).click()
    await expect(page.getByText('验证码已发送，请查收邮件')).toBeVisible()
    await page.getByLabel('新密码').fill('Neues-Wort-9')
    await expect(page.getByRole('meter', { name: '密码强度' })).toHaveAttribute('aria-valuetext', '强')
    await page.getByLabel('确认密码').fill('Neues-Wort-9')
    await page.getByLabel('验证码').fill('000000')
    const code = await mailedCode(email)
    if (code === '000000') throw new Error('one in a million: the guess was right')
    await page.getByRole('button', { name: '重置密码' }).click()
    await expect(page.getByRole('alert')).toHaveText('验证码错误或已过期')
    await page.getByLabel('验证码').fill(code)
    // By itself the clock goes on: those three seconds could be over before anybody looks.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: '重置密码' }).click()
    await expect(async () => {
      await page.clock.runFor(10)
      await expect(page.getByText('密码重置成功，3 秒后跳转到登录页面')).toBeVisible({ timeout: 200 })
    }).toPass()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await page.clock.runFor(3_100)
    await expect(page).toHaveURL(/\/auth$/)
    await page.clock.resume()

    await page.getByLabel('用户名').fill(customer.username)
    await page.getByLabel('密码', { exact: true }).fill('Neues-Wort-9')
    await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

/** From the newest mail in the development mailbox. */
async function mailedCode(address: string): Promise<string> {
  let code = ''
  await waitFor(async () => {
    const reply = await fetch(`${product.url}/dev/mailbox`, { signal: AbortSignal.timeout(5_000) })
    const mails = (await reply.json()) as { to: string[]; text: string }[]
    code = /\b\d{6}\b/.exec(mails.find((mail) => mail.to.includes(address))?.text ?? '')?.[0] ?? ''
    return code !== ''
  }, 'the mail with the code')
  return code
}

test.describe('a customer', () => {
  let customer: Customer

  test.beforeAll(async () => {
    customer = await newCustomer()
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('has dashboard, products and finance', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(mainNavigation(page).locator('> *')).toHaveText(['首页', '控制台', '产品', '财务'])
    const menu = await openMenu(page, '财务')
    await expect(menu.getByRole('menuitem')).toHaveText(['订单', '交易记录', '充值', '支付记录'])
    await menu.getByRole('menuitem', { name: '支付记录' }).click()
    await expect(page).toHaveURL(/\/payment\/history$/)
  })

  test('on a phone has the same menu in a drawer that closes on a choice', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/dashboard')
    await expect(mainNavigation(page)).toBeHidden()
    await page.getByRole('button', { name: '打开菜单' }).click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByRole('link')).toHaveText([
      '首页',
      '控制台',
      '产品',
      '订单',
      '交易记录',
      '充值',
      '支付记录',
    ])
    await expectSound(page, 'the drawer')
    await drawer.getByRole('link', { name: '交易记录' }).click()
    await expect(page).toHaveURL(/\/transactions$/)
    await expect(drawer).toHaveCount(0)
  })

  test('sees initial, member since, wallet and the way to recharge in the profile', async ({ page }) => {
    await page.goto('/profile')
    const main = page.getByRole('main')
    await expect(main.getByText(customer.username[0]!.toUpperCase(), { exact: true })).toBeVisible()
    await expect(main.getByText(/^\d{4}-\d{2}-\d{2} 加入$/)).toBeVisible()
    await expect(main.getByText('¥0.00')).toBeVisible()
    await expect(main.getByRole('link', { name: '立即充值' })).toHaveAttribute('href', '/recharge')
    await expect(page.getByLabel('用户名')).toHaveValue(customer.username)
    await expect(page.getByLabel('邮箱')).toHaveValue(`${customer.username}@example.com`)
    await expectSound(page, 'the profile')
  })

  test('changes the password with the old one, and only with that', async ({ page }) => {
    await page.goto('/profile')
    const main = page.getByRole('main')
    await page.getByText('修改密码（可选）').click()
    await page.getByLabel('当前密码').fill('not-this-one')
    await page.getByLabel('新密码').fill('Geheim-1234')
    await page.getByLabel('确认密码').fill('Geheim-1234')
    await page.getByRole('button', { name: '保存' }).click()
    await expect(main.getByRole('alert')).toHaveText('当前密码不正确')
    await page.getByLabel('当前密码').fill(customer.password)
    await page.getByRole('button', { name: '保存' }).click()
    await expect(note(page, '个人资料更新成功')).toBeVisible()
    customer.password = 'Geheim-1234'
    expect((await signIn(product, customer.username, customer.password)).token).toBeTruthy()
  })

  test('sees the signed-in devices and removes one', async ({ page }) => {
    await signIn(product, customer.username, customer.password)
    await page.goto('/profile?part=devices')
    await expect(page.getByText('当前设备')).toHaveCount(1)
    const remove = page.getByRole('button', { name: /^移除 / })
    await expect(remove.first()).toBeVisible()
    const before = await remove.count()
    await remove.first().click()
    const dialog = page.getByRole('alertdialog', { name: '移除登录设备' })
    await expectSound(page, 'the question before a device is removed')
    await dialog.getByRole('button', { name: '确认移除' }).click()
    await expect(note(page, '设备已移除')).toBeVisible()
    await expect(remove).toHaveCount(before - 1)
  })

  test('is shown nothing more of the account on a device that was removed elsewhere', async ({ page, browser }) => {
    const removed = await signIn(product, customer.username, customer.password)
    const context = await browser.newContext()
    await enterAs(context, removed)
    const theirs = await context.newPage()
    const heard: string[] = []
    theirs.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))))
    await theirs.goto('/orders')
    await expect.poll(() => heard.join()).toContain('hello')
    await page.goto('/profile?part=devices')
    await page
      .getByRole('button', { name: /^移除 / })
      .first()
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: '确认移除' }).click()
    await expect(note(page, '设备已移除')).toBeVisible()
    await expect(theirs).toHaveURL(/\/auth\?next=%2Forders$/)
    await expect(theirs.getByText('登录已失效，请重新登录')).toBeVisible()
    await context.close()
  })

  test('keeps SSH keys: refused, added with its fingerprint, removed', async ({ page }) => {
    await page.goto('/profile?part=keys')
    await expect(page.getByText('还没有密钥。')).toBeVisible()
    await page.getByRole('button', { name: '新增' }).click()
    const dialog = page.getByRole('dialog', { name: '新增SSH密钥' })
    await dialog.getByLabel('名称').fill('笔记本')
    await dialog.getByLabel('公钥').fill('ssh-dss AAAA')
    await dialog.getByRole('button', { name: '保存' }).click()
    await expect(dialog.getByText('公钥格式不正确').first()).toBeVisible()
    await expectSound(page, 'a refused key')
    await dialog.getByLabel('公钥').fill(publicKey())
    await dialog.getByRole('button', { name: '保存' }).click()
    await expect(note(page, 'SSH密钥已添加')).toBeVisible()
    await expect(page.getByText(/^SHA256:/)).toBeVisible()
    await page.getByRole('button', { name: '删除' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '确认删除' }).click()
    await expect(note(page, 'SSH密钥已删除')).toBeVisible()
    await expect(page.getByText('还没有密钥。')).toBeVisible()
  })

  test('is saved by one click, though the field that is left shows its fault and moves the button', async ({
    page,
  }) => {
    await page.goto('/profile')
    await page.getByLabel('用户名').fill('x')
    const save = (await page.getByRole('button', { name: '保存' }).boundingBox())!
    await page.mouse.move(save.x + save.width / 2, save.y + save.height / 2)
    await page.mouse.down()
    await expect(page.getByLabel('用户名')).toBeFocused()
    await page.mouse.up()
    // The focus stayed, so the field's own fault is spoken, too.
    await expect(page.getByRole('main').getByRole('alert')).toHaveText([
      '请修复表单中的错误',
      '用户名需为3-20个字母、数字或下划线',
    ])
  })

  test('is read anew where only the token is held', async ({ page }) => {
    await page.goto('/profile')
    await page.evaluate(() => localStorage.removeItem('user'))
    await page.reload()
    await expect(page.getByLabel('用户名')).toHaveValue(customer.username)
    const held = await page.evaluate(() => localStorage.getItem('user'))
    expect(JSON.parse(held ?? '{}')).toMatchObject({ username: customer.username, role: 'USER' })
  })

  test('whose address is changed on another device sees it where the profile is open, and changes nothing back with the name', async ({
    browser,
  }) => {
    const mine = await newCustomer()
    const there = await signIn(product, mine.username, mine.password)
    const context = await browser.newContext()
    await enterAs(context, mine)
    const tab = await context.newPage()
    // Listened to from its first frame, which may come while the page is still being loaded.
    const greeted = tab
      .waitForEvent('websocket')
      .then((socket) => socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('hello')))
    await tab.goto('/profile')
    await greeted
    await tab.waitForLoadState('networkidle')
    await expect(tab.getByLabel('邮箱')).toHaveValue(`${mine.username}@example.com`)
    const email = `${mine.username}-new@example.com`
    await there.call('PUT', '/auth/profile', { username: mine.username, email })
    await expect(tab.getByLabel('邮箱')).toHaveValue(email)
    await tab.getByLabel('用户名').fill(`${mine.username}_2`)
    await tab.getByRole('button', { name: '保存' }).click()
    await expect(note(tab, '个人资料更新成功')).toBeVisible()
    expect((await there.call('GET', '/auth/profile')).body).toMatchObject({ username: `${mine.username}_2`, email })
    await context.close()
  })

  test('whose session ends elsewhere is signed out by the next call', async ({ page, browser }) => {
    const there = await signIn(product, customer.username, customer.password)
    const other = await browser.newContext()
    await enterAs(other, there)
    const tab = await other.newPage()
    await tab.goto('/profile?part=devices')
    await expect(tab.getByText('当前设备')).toBeVisible()
    await there.call('POST', '/auth/logout')
    await visit(tab, '/transactions')
    await expect(tab).toHaveURL(/\/auth\?next=%2Ftransactions$/)
    await expect(tab.getByRole('alert')).toHaveText('登录已失效，请重新登录')
    expect(await tab.evaluate(() => localStorage.length && localStorage.getItem('token'))).toBeNull()
    await tab.getByLabel('用户名').fill(customer.username)
    await tab.getByLabel('密码', { exact: true }).fill(customer.password)
    await tab.getByRole('button', { name: '登录', exact: true }).click()
    await expect(tab).toHaveURL(/\/transactions$/)
    await other.close()
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

/** Of random bytes, as `ssh-keygen` writes it. */
function publicKey(): string {
  const name = Buffer.from('ssh-ed25519')
  const part = (data: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, data.length]), data])
  return `ssh-ed25519 ${Buffer.concat([part(name), part(randomBytes(32))]).toString('base64')} laptop`
}
