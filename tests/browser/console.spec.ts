/** The dashboard and the console of a running server, with everything that can be asked of it. */
import fs from 'node:fs'
import { expect, test, type Page } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders.contract'
import { signIn, type Customer } from '../setup/customer.js'
import { startProduct } from '../setup/product.js'
import { demoCustomer, enterAs, newCustomer, orderFor, payFor, whileHostsFail } from './people.js'
import {
  expectSettled,
  expectSound,
  expectUnknown,
  fact,
  followSystemMode,
  note,
  tabTo,
  visit,
  whileFailing,
  whileSlow,
} from './states.js'

test.beforeEach(({ page }) => followSystemMode(page))

const unknownId = '018f0000-0000-7000-8000-000000000000'
const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test.describe('the dashboard', () => {
  test('of somebody without servers says so and offers to buy; unread it is a skeleton, unreadable a sentence', async ({
    page,
    context,
  }) => {
    await enterAs(context, await newCustomer())
    await page.goto('/profile')
    await expectSettled(page)
    await whileFailing(page, /trpc\/.*orders\.list/, async () => {
      await visit(page, '/dashboard')
      await expect(page.getByRole('alert')).toContainText('加载订单失败', { timeout: 15_000 })
      await expectSound(page, 'the dashboard that could not be read')
    })
    await whileSlow(page, async () => {
      await page.getByRole('button', { name: '重试' }).click()
      await expect(page.getByRole('table', { name: '服务器' })).toBeVisible()
    })
    await expect(page.getByText('暂无服务器')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: '立即购买' })).toHaveAttribute('href', '/sales')
    await expectSound(page, 'the empty dashboard')
  })

  test('sums up, searches, filters and shows expiry, details and the way to connect', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const demo = await demoCustomer()
    await enterAs(context, demo)
    const orders = (await demo.call<OrderView[]>('GET', '/orders')).body.data
    const living = orders.filter(({ status }) => ['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED'].includes(status))
    const active = living.filter(({ status }) => status === 'ACTIVE')
    await page.goto('/dashboard')
    const rows = page.getByRole('table', { name: '服务器' }).locator('tbody tr')
    await expect(fact(page, '服务器总数')).toHaveText(String(living.length))
    await expect(fact(page, '活跃')).toHaveText(String(active.length))
    await expect(fact(page, '暂停')).toHaveText(String(living.length - active.length))
    const soon = living.filter(({ expiresAt }) => {
      const days = expiresAt ? Math.ceil((Date.parse(expiresAt) - Date.now()) / 86_400_000) : 0
      return days >= 1 && days <= 7
    })
    expect(soon.length).toBeGreaterThan(0)
    await expect(fact(page, '即将到期')).toHaveText(String(soon.length))
    await expect(page.getByRole('columnheader')).toHaveText([
      '服务器信息',
      '状态',
      'IP地址',
      '配置',
      '操作系统',
      '到期时间',
      '操作',
    ])
    await expect(rows).toHaveCount(Math.min(10, living.length))
    await expect(page.getByText('登录令牌永不过期', { exact: false })).toBeVisible()
    await expect(page.getByText(/^(剩余\d+天|\d天后到期)$/).first()).toBeVisible()
    await expect(page.getByText('已过期', { exact: true }).first()).toBeVisible()

    const box = page.getByRole('searchbox', { name: '搜索' })
    await box.fill('UBUNTU')
    await expect(rows).toHaveCount(living.filter(({ osName }) => osName === 'Ubuntu').length)
    await box.fill(active[0]!.orderNumber.toLowerCase())
    await expect(rows).toHaveCount(1)
    await page.getByLabel('状态').selectOption('SUSPENDED')
    await expect(page.getByText('没有符合条件的服务器')).toBeVisible()
    await page.getByRole('button', { name: '重置' }).click()
    await expect(rows).toHaveCount(living.length)
    await page.getByRole('button', { name: '刷新' }).click()
    await expect(page.getByText(/^更新于 /)).toBeVisible()

    const server = active.find(({ ipAddress }) => ipAddress)!
    const menu = async (name: string) => {
      await page.getByRole('button', { name: `${server.serverName} 的更多操作` }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await menu('查看详情')
    await expect(fact(page.getByRole('dialog', { name: '服务器详情' }), '订单号')).toHaveText(server.orderNumber)
    await expectSound(page, 'a server’s details')
    await page.keyboard.press('Escape')
    await menu('连接')
    await page.getByRole('button', { name: '复制命令' }).click()
    await expect(note(page, 'SSH命令已复制到剪贴板')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`@${server.ipAddress}`)
    await page.keyboard.press('Escape')
    await menu('重装系统')
    const install = page.getByRole('dialog', { name: `重装系统 · ${server.serverName}` })
    await expect(install.getByLabel('操作系统')).toHaveValue(server.osName)
    await expectSound(page, 'the install dialog')
    await page.keyboard.press('Escape')

    const suspended = living.find(({ status }) => status === 'SUSPENDED')!
    await page.getByRole('button', { name: `${suspended.serverName} 的更多操作` }).click()
    await expect(page.getByRole('menu')).toContainText('只有活跃的服务器可以连接')
    await expect(page.getByRole('menu')).toContainText('只有活跃的服务器可以重装系统')
    await page.keyboard.press('Escape')
    await page.goto(`/server-manage/${suspended.id}`)
    await expect(page.getByText('服务器因到期已暂停，数据保留 72 小时，续费后自动恢复。')).toBeVisible()
    await expect(button(page, '启动')).toHaveAttribute('aria-disabled', 'true')
    await expectSound(page, 'the console of a suspended server')
  })
})

test('a dashboard with many servers is read page by page', async ({ page, context }) => {
  test.setTimeout(120_000)
  const customer = await newCustomer()
  await customer.recharge(20)
  await enterAs(context, customer)
  const orders: OrderView[] = []
  for (let i = 0; i < 11; i += 1) {
    const order = await orderFor(customer, '香港入门型', { billingPeriod: 'HOURLY' })
    expect((await customer.call('POST', `/orders/${order.id}/pay`)).status).toBe(200)
    orders.push(order)
  }
  await page.goto('/dashboard')
  const rows = page.getByRole('table', { name: '服务器' }).locator('tbody tr')
  const pager = page.getByRole('navigation', { name: '分页' })
  await expect(fact(page, '服务器总数')).toHaveText('11')
  await expect(rows).toHaveCount(10)
  await expectSound(page, 'a dashboard with many servers')
  await pager.getByRole('button', { name: '下一页' }).click()
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/page=2/)
  await pager.getByLabel('每页条数').selectOption('20')
  await expect(rows).toHaveCount(11)
})

test.describe('the console', () => {
  let customer: Customer
  let order: OrderView

  test.beforeAll(async () => {
    customer = await newCustomer()
    await customer.recharge(500)
    order = await payFor(customer, await orderFor(customer, '香港标准型', { initialPassword: 'Anfangs-1x' }))
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('without a known order leads to the dashboard with a notice', async ({ page }) => {
    await page.goto('/dashboard')
    await expectSettled(page)
    for (const [address, notice] of [
      ['/server-manage', '加载服务器信息失败，请稍后重试'],
      [`/server-manage/${unknownId}`, '加载服务器信息失败，请稍后重试（加载订单信息失败: 记录不存在）'],
    ] as const) {
      await visit(page, address)
      await expect(page).toHaveURL(/\/dashboard$/)
      await expect(page.getByRole('region', { name: '通知' }).getByText(notice, { exact: true })).toBeVisible()
      await page.getByRole('button', { name: '关闭通知' }).click()
    }
  })

  test('shows four columns about the server, live figures, charts over four ranges and the log', async ({ page }) => {
    await page.goto(`/server-manage/${order.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('服务器管理')
    await expect(page.getByRole('link', { name: '返回' })).toHaveAttribute('href', '/dashboard')
    const config = page.locator('section').filter({ hasText: '服务器分组' }).first()
    for (const [label, value] of [
      ['IP地址', order.ipAddress!],
      ['SSH端口', '22022'],
      ['服务器状态', '在线'],
      ['操作系统', `${order.osName} ${order.osVersion}`],
      ['CPU核心', '2 核'],
      ['内存', '4 GB'],
      ['存储', '40 GB'],
      ['服务器分组', '香港 CN2'],
      ['带宽', '100 Mbps'],
      ['SSH访问', '已启用'],
      ['用户名', 'root'],
    ] as const)
      await expect(fact(config, label), label).toHaveText(value, { timeout: 30_000 })
    for (const label of ['订单号', '磁盘类型', '网络速度', '到期时间', '创建时间', '最后更新', '运行时间'])
      await expect(fact(config, label), label).toHaveCount(1)
    await expect(fact(config, '订单号')).toContainText(order.orderNumber)
    for (const ring of ['CPU', '内存', '磁盘'])
      await expect(page.getByRole('meter', { name: ring })).toHaveAttribute('aria-valuetext', /^\d+%$/, {
        timeout: 30_000,
      })
    await expect(page.getByRole('radiogroup', { name: '时间范围' }).getByRole('radio')).toHaveCount(4)
    for (const range of ['24 小时', '7 天', '30 天', '1 小时']) {
      await page.getByRole('radio', { name: range }).check({ force: true })
      await expect(page.getByRole('radio', { name: range })).toBeChecked()
    }
    await expect(card(page, '操作日志').getByRole('listitem').first()).toContainText('安装')
    await button(page, '刷新监控').click()
    await button(page, '刷新数据').click()
    await button(page, '测试连接').click()
    await expect(note(page, /^SSH 连接正常|^SSH 端口没有响应/)).toBeVisible({ timeout: 15_000 })
    await expectSound(page, 'the console')
  })

  test('asks before each act of power, does it, and says how it ended', async ({ page }) => {
    test.setTimeout(150_000)
    await page.goto(`/server-manage/${order.id}`)
    const acts = [
      ['关机', '关闭服务器', '确认关机', '关机完成'],
      ['启动', '启动服务器', '确认启动', '启动完成'],
      ['重启', '重启服务器', '确认重启', '重启完成'],
      ['强制关机', '强制关机', '确认强制关机', '关机完成'],
      ['启动', '启动服务器', '确认启动', '启动完成'],
    ] as const
    for (const [name, title, confirm, done] of acts) {
      const act = page.getByRole('main').getByRole('button', { name, exact: true })
      await expect(act).not.toHaveAttribute('aria-disabled', 'true', { timeout: 30_000 })
      await act.click()
      const dialog = page.getByRole('alertdialog', { name: title })
      await expect(dialog).toContainText('确认执行此操作？')
      await expect(dialog.getByRole('button', { name: '取消' })).toBeFocused()
      if (name === '关机') {
        await expectSound(page, 'the question before shutting down')
        await whileFailing(page, /trpc\/console\.act/, async () => {
          await dialog.getByRole('button', { name: confirm }).click()
          await expectUnknown(dialog)
        })
      }
      await dialog.getByRole('button', { name: name === '关机' ? '重新查询' : confirm }).click()
      await expect(note(page, '操作已提交')).toBeVisible()
      await expect(note(page, done)).toBeVisible({ timeout: 30_000 })
      const state = name.endsWith('关机') ? '离线' : '在线'
      await expect(fact(page, '服务器状态')).toHaveText(state, { timeout: 30_000 })
      if (name === '关机') await expect(page.getByText('暂无系统监控数据')).toBeVisible({ timeout: 15_000 })
    }
  })

  test('a notification stays for four seconds, and an act without an answer gives up after fifteen', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await page.goto(`/server-manage/${order.id}`)
    await button(page, '复制订单号').click()
    await page.clock.pauseAt(new Date(Date.now() + 500))
    await expect(note(page, '订单号已复制')).toBeVisible()
    await page.clock.runFor(3_000)
    await expect(note(page, '订单号已复制')).toBeVisible()
    await page.clock.runFor(1_500)
    await expect(note(page, '订单号已复制')).toHaveCount(0)
    await page.clock.resume()

    await button(page, '重启').click()
    const dialog = page.getByRole('alertdialog', { name: '重启服务器' })
    await whileSlow(page, async () => {
      await dialog.getByRole('button', { name: '确认重启' }).click()
      await page.clock.runFor(15_100)
      await expect(dialog.getByRole('alert')).toHaveText('请求超时，请稍后重试')
    })
  })

  test('shows the current password only when asked, and resets it to a good one', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/server-manage/${order.id}`)
    const current = page.getByLabel('当前密码')
    await expect(current).toHaveAttribute('readonly', '')
    await expect(current).toHaveValue('************')
    await card(page, '密码管理').getByRole('button', { name: '显示密码' }).first().click()
    await expect(current).toHaveValue('Anfangs-1x')
    await card(page, '密码管理').getByRole('button', { name: '隐藏密码' }).click()
    await expect(current).toHaveValue('************')

    const reset = button(page, '重置密码')
    const typed = page.getByLabel('新密码', { exact: true })
    await expect(reset).toHaveAttribute('aria-disabled', 'true')
    // A reason is shown to whoever comes by keyboard (or rests on the button): the last key pressed says so.
    await page.keyboard.press('Tab')
    await reset.focus()
    await expect(page.getByRole('tooltip')).toHaveText('新密码不能为空')
    for (const [wrong, fault] of [
      ['Ab1', '密码长度至少需要8个字符'],
      ['abcdefg1', '密码必须包含大写字母'],
      ['ABCDEFG1', '密码必须包含小写字母'],
      ['Abcdefgh', '密码必须包含数字'],
    ] as const) {
      await typed.fill(wrong)
      await expect(card(page, '密码管理').getByText(fault)).toBeVisible()
      await expect(reset).toHaveAttribute('aria-disabled', 'true')
    }
    await button(page, '生成密码').click()
    const made = await typed.inputValue()
    expect(made).toMatch(/^[A-HJ-NP-Za-km-z2-9]{12}$/)
    await reset.click()
    const dialog = page.getByRole('alertdialog', { name: '重置密码' })
    await expect(dialog).toContainText('确认执行此操作？')
    await expect(dialog).toContainText(made)
    await expect(dialog).toContainText('请妥善保管新密码')
    await expectSound(page, 'the question before a new password')
    await dialog.getByRole('button', { name: '确认重置密码' }).click()
    await expect(note(page, '密码重置成功')).toBeVisible({ timeout: 30_000 })
    await card(page, '密码管理').getByRole('button', { name: '显示密码' }).first().click()
    await expect(current).toHaveValue(made)

    await button(page, '生成密码').click()
    const again = await typed.inputValue()
    await reset.click()
    await dialog.getByText('重启服务器并重置密码').click()
    await expect(dialog.getByRole('switch', { name: '重启服务器并重置密码' })).toBeChecked()
    await expect(dialog).toContainText('服务器会重启一次')
    await expectSound(page, 'the question before a restart for a new password')
    await dialog.getByRole('button', { name: '确认重置密码' }).click()
    await expect(dialog).toBeHidden()
    await expect(async () => {
      const { body } = await customer.call<{ password: string }>('GET', `/server-management/${order.serverId}/password`)
      expect(body.data.password).toBe(again)
    }).toPass({ timeout: 30_000 })

    await button(page, 'SSH连接').click()
    await expect(note(page, 'SSH命令已复制到剪贴板')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`ssh root@${order.ipAddress} -p 22022`)
  })

  test('where details or figures cannot be read, shows the order’s own data and an offline placeholder', async ({
    page,
  }) => {
    await page.goto('/dashboard')
    await expectSettled(page)
    await whileFailing(page, /trpc\/.*console\./, async () => {
      await visit(page, `/server-manage/${order.id}`)
      await expect(page.getByText('以下为订单中的信息，请检查服务器ID。')).toBeVisible({ timeout: 20_000 })
      await expect(fact(page, 'IP地址')).toContainText(order.ipAddress!)
      await expect(page.getByText('监控数据读取失败：网络连接错误').first()).toBeVisible()
      await expect(page.getByRole('meter', { name: 'CPU' })).toHaveAttribute('aria-valuenow', '0')
      await expect(fact(page, '服务器状态')).toContainText(/状态未知|离线|在线/)
      await expectSound(page, 'the console that could not be read')
      await button(page, '刷新数据').click()
      await expect(note(page, /^刷新数据失败/)).toBeVisible({ timeout: 15_000 })
    })
  })

  test('of an unpaid order says that it was not paid, and leads to paying it', async ({ page }) => {
    const pending = await customer.placeOrder()
    await page.goto(`/server-manage/${pending.id}`)
    await expect(page.getByText('该订单尚未支付')).toBeVisible()
    await expect(page.getByText('服务器错误')).toHaveCount(0)
    await expectSound(page, 'the console of an unpaid order')
    await page.getByRole('button', { name: '去支付' }).click()
    const dialog = page.getByRole('dialog', { name: '支付订单' })
    await expect(dialog.getByRole('button', { name: '支付', exact: true })).toBeEnabled()
    await dialog.getByRole('button', { name: '稍后支付' }).click()
    await customer.call('PUT', `/orders/${pending.id}/cancel`)
  })

  test('of a server that is not there yet says so and offers another try', async ({ page }) => {
    const cancelled = await customer.placeOrder()
    await customer.call('PUT', `/orders/${cancelled.id}/cancel`)
    await page.goto(`/server-manage/${cancelled.id}`)
    await expect(page.getByRole('alert')).toContainText('加载服务器信息失败，请稍后重试')
    await expect(page.getByRole('alert')).toContainText('请检查服务器ID是否正确')
    await expect(page.getByRole('button', { name: '重试' })).toBeVisible()
    await expectSound(page, 'the console without a server')
    await page.goto(`/server-install-progress/${unknownId}`)
    await expect(page.getByRole('alert')).toContainText('加载安装进度失败')
    await expectSound(page, 'progress of nothing')
  })

  test('protects against a reinstall, and reinstalls once that is off', async ({ page }) => {
    test.setTimeout(90_000)
    await page.goto(`/server-manage/${order.id}`)
    const protection = page.getByRole('switch', { name: '保护（禁止重装和释放）' })
    const reinstall = card(page, '系统重装')
    const go = reinstall.getByRole('button', { name: '重装系统' })
    await protection.check({ force: true })
    await expect(note(page, '已开启保护')).toBeVisible()
    await expect(go).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Tab')
    await go.focus()
    await expect(page.getByRole('tooltip')).toHaveText('服务器已开启保护，请先关闭保护')
    await protection.uncheck({ force: true })
    await expect(note(page, '已关闭保护')).toBeVisible()

    await expect(reinstall.getByLabel('操作系统')).toHaveValue(order.osName)
    await expect(reinstall.getByLabel('系统版本')).toHaveValue(order.osVersion)
    await reinstall.getByLabel('操作系统').selectOption('Ubuntu')
    await expect(reinstall.getByLabel('系统版本')).toHaveValue('24.04 LTS')
    await reinstall.getByLabel('新SSH端口').fill('99')
    await expect(reinstall.getByText('端口需为1024-65535的整数')).toBeVisible()
    await expect(go).toHaveAttribute('aria-disabled', 'true')
    await reinstall.getByRole('button', { name: '重新生成端口' }).click()
    const old = await reinstall.getByLabel('新root密码').inputValue()
    await reinstall.getByRole('button', { name: '重新生成密码' }).click()
    await expect(reinstall.getByLabel('新root密码')).not.toHaveValue(old)
    await go.click()
    const dialog = page.getByRole('alertdialog', { name: '重装系统' })
    await expect(dialog).toContainText('确认执行此操作？')
    await expect(dialog).toContainText('当前系统的数据将被清空，并安装 Ubuntu 24.04 LTS')
    const confirm = dialog.getByRole('button', { name: '确认重装系统' })
    await expect(confirm).toBeDisabled()
    await dialog.getByRole('textbox').fill(order.serverName)
    await expectSound(page, 'the question before a reinstall')
    await confirm.click()
    await expect(note(page, '已提交重装系统任务')).toBeVisible()
    await expect(page).toHaveURL(/\/server-install-progress\//)
    await expect(page.getByText('服务器已就绪')).toBeVisible({ timeout: 45_000 })
    await page.getByRole('link', { name: '管理服务器' }).click()
    await expect(fact(page, '操作系统')).toHaveText('Ubuntu 24.04 LTS')
  })

  test('can be passed through by the keyboard alone, up to a restart', async ({ page }) => {
    await page.goto(`/server-manage/${order.id}`)
    const restart = button(page, '重启')
    await expect(restart).not.toHaveAttribute('aria-disabled', 'true', { timeout: 30_000 })
    await tabTo(page, restart)
    await expect(restart).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: '重启服务器' })
    await expect(dialog.getByRole('button', { name: '取消' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(restart).toBeFocused()
    await page.keyboard.press('Enter')
    await tabTo(page, dialog.getByRole('button', { name: '确认重启' }))
    await page.keyboard.press('Enter')
    await expect(note(page, '操作已提交')).toBeVisible()
    for (const target of [
      page.getByLabel('新密码', { exact: true }),
      button(page, '生成密码'),
      card(page, '系统重装').getByLabel('操作系统'),
      card(page, '系统重装').getByLabel('新SSH端口'),
    ])
      await tabTo(page, target)
  })
})

test('a reinstall under way leads from the dashboard to its progress, and one that fails for good says so', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000)
  const customer = await newCustomer()
  await customer.recharge(100)
  await enterAs(context, customer)
  const order = await payFor(customer, await orderFor(customer, '香港入门型'))
  const menu = async (name: string) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: `${order.serverName} 的更多操作` }).click()
    return page.getByRole('menuitem', { name, exact: true })
  }
  await whileHostsFail('verifyImage', async () => {
    const { osName, osVersion, serverId } = order
    const wanted = { osName, osVersion, rootPassword: 'Neues-Wort-1', sshPort: 22022 }
    expect((await customer.call('POST', `/server-management/${serverId}/install`, wanted)).status).toBe(200)
    await (await menu('查看进度')).click()
    await expect(page).toHaveURL(new RegExp(`/server-install-progress/${serverId}$`))
    await expect(page.getByRole('heading', { name: '正在重装系统' })).toBeVisible()
    await expect(page.getByRole('heading', { name: '安装失败' })).toBeVisible({ timeout: 60_000 })
  })
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expectSound(page, 'a reinstall that failed')
  await expect(await menu('重装系统')).toBeVisible()
})

test('an installation that every host fails at says so, gives the money back and leads on', async ({
  page,
  context,
}) => {
  test.setTimeout(150_000)
  const customer = await newCustomer()
  await customer.recharge(100)
  await enterAs(context, customer)
  await whileHostsFail('verifyImage', async () => {
    const order = await orderFor(customer, '香港入门型')
    const paid = await customer.call<OrderView>('POST', `/orders/${order.id}/pay`)
    await page.goto(`/server-install-progress/${paid.body.data.serverId}`)
    await expect(page.getByText(/第 [23] 次尝试/)).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('服务器未能开通，订单已取消，款项已全额退回账户余额。')).toBeVisible({
      timeout: 90_000,
    })
  })
  await expect(page.getByRole('heading', { name: '安装未完成' })).toBeVisible()
  await expectSound(page, 'an installation that failed')
  await expect(page.getByRole('main').getByRole('link', { name: '重新选购' })).toHaveAttribute('href', '/sales')
  expect(await customer.balance()).toBe(100)
  await page.getByRole('link', { name: '查看订单' }).click()
  const dialog = page.getByRole('dialog', { name: '订单详情' })
  await expect(fact(dialog, '状态')).toHaveText('已取消')
  await expect(fact(dialog, '取消原因')).toContainText('安装失败')
})

test('with CONSOLE_ACCESS=admins a customer reads that only administrators may, and an administrator gets in', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const strict = await startProduct({ env: { CONSOLE_ACCESS: 'admins' } })
  try {
    const demo = await signIn(strict, 'demo', 'Demo-user-1')
    const orders = (await demo.call<OrderView[]>('GET', '/orders')).body.data
    const { id } = orders.find(({ status }) => status === 'ACTIVE')!
    for (const [who, heading] of [
      [demo, '访问被拒绝'],
      [await signIn(strict, 'admin', 'Admin-demo-1'), '服务器管理'],
    ] as const) {
      const context = await browser.newContext({ baseURL: strict.url })
      await enterAs(context, who)
      const page = await context.newPage()
      await page.goto(`/server-manage/${id}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      const panel = page.getByText('访问被拒绝：您没有权限访问此页面，只有管理员可以管理服务器')
      await expect(panel).toHaveCount(who === demo ? 1 : 0)
      if (who === demo) await expectSound(page, 'the denied console')
      await context.close()
    }
  } finally {
    await strict.stop()
    fs.rmSync(strict.dataDir, { recursive: true, force: true })
  }
})
