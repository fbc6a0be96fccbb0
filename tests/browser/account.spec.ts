/** Who sees what, and everything about an account: navigation, guards, sign-in, registration, password, profile. */
import { randomBytes } from 'node:crypto'
import { expect, test, type Page } from '@playwright/test'
import { signIn, waitFor, type Customer } from '../setup/customer.js'
import { demoAdmin, enterAs, newCustomer, product } from './people.js'
import { expectSettled, expectSound, followSystemMode, note, visit, whileFailing, whileSlow } from './states.js'

const own = ['/dashboard', '/orders', '/transactions', '/recharge', '/payment/history', '/profile']
const administration = ['/categories', '/groups', '/servers', '/price-groups']
const machines = ['/server-manage/018f0000-0000-7000-8000-000000000000', '/server-install-progress/x']

test.beforeEach(({ page }) => followSystemMode(page))

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: '主导航' })

async function openMenu(page: Page, name: string) {
  // The menu's own code arrives a moment after the page.
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

  test('is sent to sign in from every page that asks for it', async ({ page }) => {
    await page.goto('/')
    for (const address of [...own, ...administration, ...machines]) {
      await visit(page, address)
      await expect(page, address).toHaveURL(/\/auth\?next=/)
      await visit(page, '/')
      await expect(page).toHaveURL(/\/$/)
    }
    await page.goto('/orders?orderId=1')
    await expect(page).toHaveURL(/\/auth\?next=%2Forders%3ForderId%3D1$/)
  })

  test('may see home, sales and both results of a payment', async ({ page }) => {
    for (const address of ['/', '/sales', '/payment/success', '/payment/failed']) {
      await page.goto(address)
      await expectSettled(page)
      await expect(page).toHaveURL(new RegExp(`${address}$`))
    }
  })

  test('finds 404 at an address that is none', async ({ page }) => {
    await page.goto('/nowhere/at/all')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('页面不存在')
    await page.getByRole('main').getByRole('link', { name: '返回首页' }).click()
    await expect(page).toHaveURL(/\/$/)
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

test('an administrator has the server management after the dashboard, and its four screens', async ({
  page,
  context,
}) => {
  await enterAs(context, await demoAdmin())
  await page.goto('/dashboard')
  const bar = mainNavigation(page).locator('> *')
  await expect(bar).toHaveText(['首页', '控制台', '服务器管理', '运营', '产品', '财务'])
  const menu = await openMenu(page, '服务器管理')
  await expect(menu.getByRole('menuitem')).toHaveText(['分类管理', '分组管理', '服务器列表', '价格组'])
  await menu.getByRole('menuitem', { name: '价格组' }).click()
  await expect(page).toHaveURL(/\/price-groups$/)
  await expect(page.getByText('访问被拒绝')).toHaveCount(0)
})

test.describe('registration', () => {
  test('says what is missing or wrong, and refuses to be sent with two passwords that differ', async ({ page }) => {
    await page.goto('/auth')
    await page.getByRole('button', { name: '立即注册' }).click()
    const send = page.getByRole('button', { name: '注册', exact: true })
    await send.click()
    await expect(page.getByRole('alert')).toHaveText('所有字段都不能为空')
    await expect(page.getByText('此字段为必填项')).toHaveCount(4)
    await expectSound(page, 'registration with faults')
    await page.getByLabel('用户名').fill('a!')
    await page.getByLabel('邮箱').fill('nobody')
    await page.getByLabel('密码', { exact: true }).fill('abc')
    await page.getByLabel('确认密码').fill('abc')
    await send.click()
    await expect(page.getByRole('alert')).toHaveText('请更正表单中的错误后再提交')
    await expect(page.getByText('用户名需为3-20个字母、数字或下划线')).toBeVisible()
    await expect(page.getByText('请输入有效的邮箱地址')).toBeVisible()
    await expect(page.getByText('最少需要 6 个字符')).toBeVisible()
    await page.getByRole('button', { name: '关闭提示' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByLabel('确认密码').fill('other')
    await expect(page.getByText('两次输入的密码不一致')).toBeVisible()
    await expect(send).toBeDisabled()
  })

  test('shows the strength of the password by the six points', async ({ page }) => {
    await page.goto('/auth')
    await page.getByRole('button', { name: '立即注册' }).click()
    const meter = page.getByRole('meter', { name: '密码强度' })
    for (const [password, word, score] of [
      ['abc', '弱', '1'],
      ['abcdefgh', '弱', '2'],
      ['Abcdefg1', '中', '4'],
      ['Abcdefg1!', '强', '5'],
      ['Abcdefghijk1!', '强', '6'],
    ] as const) {
      await page.getByLabel('密码', { exact: true }).fill(password)
      await expect(meter).toHaveAttribute('aria-valuetext', word)
      await expect(meter).toHaveAttribute('aria-valuenow', score)
    }
  })

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
    await whileSlow(page, async () => {
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
  test('says what is missing, what is wrong and that the network is gone', async ({ page }) => {
    await page.goto('/auth')
    const send = page.getByRole('main').getByRole('button', { name: '登录', exact: true })
    await send.click()
    await expect(page.getByRole('alert')).toHaveText('用户名和密码不能为空')
    await expect(page.getByText('此字段为必填项')).toHaveCount(2)
    await expectSound(page, 'sign-in with faults')
    await page.getByLabel('用户名').fill('demo')
    const password = page.getByLabel('密码', { exact: true })
    await password.fill('not-this-one')
    await expect(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: '显示密码' }).click()
    await expect(password).toHaveAttribute('type', 'text')
    await whileSlow(page, async () => {
      await send.click()
      await expect(page.getByRole('button', { name: '登录中…' })).toBeDisabled()
    })
    await expect(page.getByRole('alert')).toHaveText('用户名或密码错误')
    await whileFailing(page, /trpc\/accounts\.signIn/, async () => {
      await send.click()
      await expect(page.getByRole('alert')).toHaveText('网络连接错误')
    })
    await page.getByRole('button', { name: '关闭提示' }).click()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('is switched to registration and back in place, and leads to the forgotten password', async ({ page }) => {
    await page.goto('/auth')
    await page.getByRole('button', { name: '立即注册' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('注册')
    await page.getByRole('button', { name: '返回登录' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('登录')
    await expect(page).toHaveURL(/\/auth$/)
    await page.getByRole('link', { name: '忘记密码' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
  })

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
    await page.getByLabel('邮箱').fill('nobody')
    await page.getByRole('button', { name: '发送验证码' }).click()
    await expect(page.getByText('请输入有效的邮箱地址')).toBeVisible()
    await page.getByLabel('邮箱').fill(email)
    await page.getByRole('button', { name: '发送验证码' }).click()
    await expect(page.getByText('验证码已发送，请查收邮件')).toBeVisible()
    await expectSound(page, 'the second step')

    const again = page.getByRole('button', { name: /^重新发送/ })
    await expect(again).toHaveText(/重新发送（(60|5\d) 秒）/)
    await expect(again).toBeDisabled()
    await page.clock.runFor(61_000)
    await expect(again).toBeEnabled()
    await again.click()
    await expect(page.getByText('验证码已重新发送，请查收邮件')).toBeVisible()
    await expect(again).toBeDisabled()

    await page.getByLabel('验证码').fill('12')
    await page.getByLabel('新密码').fill('abc')
    await page.getByLabel('确认密码').fill('abcd')
    await page.getByRole('button', { name: '重置密码' }).click()
    await expect(page.getByText('请输入6位验证码')).toBeVisible()
    await expect(page.getByText('最少需要 6 个字符')).toBeVisible()
    await expect(page.getByText('两次输入的密码不一致')).toBeVisible()

    // Back clears what was typed.
    await page.getByRole('button', { name: '返回', exact: true }).click()
    await expect(page.getByLabel('邮箱')).toHaveValue('')
    await page.getByLabel('邮箱').fill(email)
    await page.getByRole('button', { name: '发送验证码' }).click()
    await expect(page.getByLabel('验证码')).toHaveValue('')

    await page.getByLabel('新密码').fill('Neues-Wort-9')
    await expect(page.getByRole('meter', { name: '密码强度' })).toHaveAttribute('aria-valuetext', '强')
    await page.getByLabel('确认密码').fill('Neues-Wort-9')
    await page.getByLabel('验证码').fill('000000')
    const code = await mailedCode(email)
    if (code === '000000') throw new Error('one in a million: the guess was right')
    await page.getByRole('button', { name: '重置密码' }).click()
    await expect(page.getByRole('alert')).toHaveText('验证码错误或已过期')
    await page.getByLabel('验证码').fill(code)
    await page.getByRole('button', { name: '重置密码' }).click()
    await expect(page.getByText('密码重置成功，3 秒后跳转到登录页面')).toBeVisible()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await page.clock.runFor(3_100)
    await expect(page).toHaveURL(/\/auth$/)

    await page.getByLabel('用户名').fill(customer.username)
    await page.getByLabel('密码', { exact: true }).fill('Neues-Wort-9')
    await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
})

/** The code of the newest mail to this address, from the development mailbox behind the real SMTP listener. */
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

  test('has dashboard, products and finance, and is denied the administration', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(mainNavigation(page).locator('> *')).toHaveText(['首页', '控制台', '产品', '财务'])
    const menu = await openMenu(page, '财务')
    await expect(menu.getByRole('menuitem')).toHaveText(['订单', '交易记录', '充值', '支付记录'])
    await menu.getByRole('menuitem', { name: '支付记录' }).click()
    await expect(page).toHaveURL(/\/payment\/history$/)
    for (const [address, what] of [
      ['/categories', '服务器分类'],
      ['/groups', '服务器分组'],
      ['/servers', '服务器'],
      ['/price-groups', '价格组'],
    ] as const) {
      await visit(page, address)
      await expect(page.getByText(`访问被拒绝：只有管理员可以管理${what}`, { exact: true })).toBeVisible()
    }
    await expectSound(page, 'the denied administration')
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

  test('changes the profile by its rules, and 重置 gives back what was', async ({ page }) => {
    await page.goto('/profile')
    const main = page.getByRole('main')
    await page.getByLabel('用户名').fill('x')
    await page.getByLabel('邮箱').fill('nobody')
    await page.getByText('修改密码（可选）').click()
    await page.getByLabel('新密码').fill('kurz')
    await page.getByLabel('确认密码').fill('lang')
    await page.getByRole('button', { name: '保存' }).click()
    await expect(main.getByRole('alert')).toHaveText('请修复表单中的错误')
    for (const fault of [
      '用户名需为3-20个字母、数字或下划线',
      '请输入有效的邮箱地址',
      '请输入当前密码',
      '新密码至少需要8个字符',
      '两次输入的密码不一致',
    ])
      await expect(main.getByText(fault)).toBeVisible()
    await expectSound(page, 'the profile with faults')
    await page.getByRole('button', { name: '重置' }).click()
    await expect(page.getByLabel('用户名')).toHaveValue(customer.username)
    await expect(page.getByLabel('新密码')).toHaveValue('')

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
    await page.goto('/profile')
    await expect(page.getByText('当前设备')).toHaveCount(1)
    const remove = page.getByRole('button', { name: '移除', exact: true })
    await expect(remove.first()).toBeVisible()
    const before = await remove.count()
    await remove.first().click()
    const dialog = page.getByRole('alertdialog', { name: '移除登录设备' })
    await expectSound(page, 'the question before a device is removed')
    await dialog.getByRole('button', { name: '确认移除' }).click()
    await expect(note(page, '设备已移除')).toBeVisible()
    await expect(remove).toHaveCount(before - 1)
  })

  test('keeps SSH keys: refused, added with its fingerprint, removed', async ({ page }) => {
    await page.goto('/profile')
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

  test('is told in place when parts of the profile cannot be read, and reads them again', async ({ page }) => {
    await page.goto('/dashboard')
    await expectSettled(page)
    await whileFailing(page, /trpc\/.*(sshKeys|devices|wallet)/, async () => {
      await visit(page, '/profile')
      await expect(page.getByText('加载SSH密钥失败')).toBeVisible({ timeout: 15_000 })
      await expect(page.getByText('加载登录设备失败')).toBeVisible()
      await expect(page.getByRole('alert').filter({ hasText: '网络连接错误' })).toHaveCount(3)
      await expectSound(page, 'the failed profile')
    })
    for (const left of [2, 1, 0]) {
      await page.getByRole('button', { name: '重试' }).first().click()
      await expect(page.getByRole('button', { name: '重试' })).toHaveCount(left)
    }
    await expect(page.getByText('¥0.00')).toBeVisible()
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
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('请修复表单中的错误')
  })

  test('is read anew where only the token is held', async ({ page }) => {
    await page.goto('/profile')
    await page.evaluate(() => localStorage.removeItem('user'))
    await page.reload()
    await expect(page.getByLabel('用户名')).toHaveValue(customer.username)
    const held = await page.evaluate(() => localStorage.getItem('user'))
    expect(JSON.parse(held ?? '{}')).toMatchObject({ username: customer.username, role: 'USER' })
  })

  test('whose session ends elsewhere is signed out by the next call', async ({ page, browser }) => {
    const there = await signIn(product, customer.username, customer.password)
    const other = await browser.newContext()
    await enterAs(other, there)
    const tab = await other.newPage()
    await tab.goto('/profile')
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

/** An ed25519 key of random bytes, in the form that `ssh-keygen` writes. */
function publicKey(): string {
  const name = Buffer.from('ssh-ed25519')
  const part = (data: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, data.length]), data])
  return `ssh-ed25519 ${Buffer.concat([part(name), part(randomBytes(32))]).toString('base64')} laptop`
}
