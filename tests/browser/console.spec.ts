import type { Page } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders.contract'
import type { Customer } from '../setup/customer.js'
import { failed } from '../setup/agent.js'
import { ownHost } from './own-host.js'
import { enterAs, newCustomer, orderFor, payFor, whileHostsFail } from './people.js'
import { expectSound, fact, followSystemMode, note } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(({ page }) => followSystemMode(page))

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test.describe('the console', () => {
  let customer: Customer
  let order: OrderView

  test.beforeAll(async () => {
    customer = await newCustomer()
    await customer.recharge(500)
    order = await payFor(customer, await orderFor(customer, '香港标准型', { initialPassword: 'Anfangs-1x' }))
  })

  test.beforeEach(({ context }) => enterAs(context, customer))

  test('shows four columns about the server and live figures, charts over four ranges, the network and the log', async ({
    page,
  }) => {
    await page.goto(`/server-manage/${order.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(order.serverName)
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
      await expect(fact(config, label), label).toHaveText(value)
    for (const label of ['订单号', '磁盘类型', '网络速度', '到期时间', '创建时间', '最后更新', '运行时间'])
      await expect(fact(config, label), label).toHaveCount(1)
    await expect(fact(config, '订单号')).toContainText(order.orderNumber)
    for (const ring of ['CPU', '内存', '磁盘'])
      await expect(page.getByRole('meter', { name: ring })).toHaveAttribute('aria-valuetext', /^\d+%$/)
    await button(page, '刷新监控').click()
    await button(page, '刷新数据').click()
    await button(page, '测试连接').click()
    await expect(note(page, /^SSH 连接正常|^SSH 端口没有响应/)).toBeVisible()
    await expectSound(page, 'the console')
    const part = (name: string) =>
      page.getByRole('navigation', { name: '服务器的各部分' }).getByRole('link', { name }).click()
    await part('监控')
    await expect(page).toHaveURL(/\?part=monitoring$/)
    await expect(page.getByRole('radiogroup', { name: '时间范围' }).getByRole('radio')).toHaveCount(4)
    for (const range of ['24 小时', '7 天', '30 天', '1 小时']) {
      await page.getByRole('radio', { name: range }).check({ force: true })
      await expect(page.getByRole('radio', { name: range })).toBeChecked()
    }
    await expectSound(page, 'the console’s monitoring')
    await part('网络')
    await expect(fact(page, 'SSH 命令')).toHaveText(`ssh root@${order.ipAddress} -p 22022`)
    await part('日志')
    await expect(card(page, '操作日志').getByRole('listitem').first()).toContainText('安装')
    await page.goBack()
    await expect(page).toHaveURL(/\?part=network$/)
  })

  test('leads to the machine’s screen and serial line, which hear what is typed', async ({ page }) => {
    await page.goto(`/server-manage/${order.id}`)
    await button(page, '远程连接').click()
    await expect(page).toHaveURL(`/remote/${order.serverId}`)
    const state = page.getByText('已连接', { exact: true })
    const screen = page.getByRole('application', { name: '服务器屏幕' })
    await expect(state).toBeVisible()
    const before = await screen.screenshot()
    await expect(screen).toBeFocused()
    await page.keyboard.type('hello')
    await expect.poll(async () => before.equals(await screen.screenshot())).toBe(false)
    await expectSound(page, 'a machine’s screen')

    await page.getByRole('radio', { name: '串口' }).check({ force: true })
    await expect(page).toHaveURL(/\?kind=serial$/)
    const said = page.locator('.xterm-accessibility')
    await expect(said).toContainText('login:')
    await page.getByRole('button', { name: '粘贴文本' }).click()
    await page.getByLabel('要输入的文本').fill('somebody\n')
    await page.getByRole('button', { name: '输入到服务器' }).click()
    await expect(said).toContainText('login: somebody')
    // One viewer: who opens it anew takes it.
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expect(other.getByText('已连接', { exact: true })).toBeVisible()
    await expect(page.getByText('远程连接已在其他窗口打开')).toBeVisible()
    await other.close()
    await page.getByRole('link', { name: '返回' }).click()
    await expect(page).toHaveURL(`/server-manage/${order.id}`)
  })

  test('asks before each act of power, does it, and says how it ended', async ({ page }) => {
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
      await expect(act).not.toHaveAttribute('aria-disabled', 'true')
      await act.click()
      const dialog = page.getByRole('alertdialog', { name: title })
      await expect(dialog).toContainText('确认执行此操作？')
      await expect(dialog.getByRole('button', { name: '取消' })).toBeFocused()
      await dialog.getByRole('button', { name: confirm }).click()
      await expect(note(page, '操作已提交')).toBeVisible()
      await expect(note(page, done)).toBeVisible()
      const state = name.endsWith('关机') ? '离线' : '在线'
      await expect(fact(page, '服务器状态')).toHaveText(state)
      if (name === '关机') await expect(page.getByText('暂无系统监控数据')).toBeVisible()
    }
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
    await button(page, '生成密码').click()
    const made = await typed.inputValue()
    expect(made).toMatch(/^[A-HJ-NP-Za-km-z2-9]{12}$/)
    await reset.click()
    const dialog = page.getByRole('alertdialog', { name: '重置密码' })
    await expect(dialog).toContainText('确认执行此操作？')
    await expect(dialog).toContainText(made)
    await expect(dialog).toContainText('请妥善保管新密码')
    await dialog.getByRole('button', { name: '确认重置密码' }).click()
    await expect(note(page, '密码重置成功')).toBeVisible()
    await card(page, '密码管理').getByRole('button', { name: '显示密码' }).first().click()
    await expect(current).toHaveValue(made)

    await button(page, '生成密码').click()
    const again = await typed.inputValue()
    await reset.click()
    await dialog.getByText('重启服务器并重置密码').click()
    await expect(dialog.getByRole('switch', { name: '重启服务器并重置密码' })).toBeChecked()
    await dialog.getByRole('button', { name: '确认重置密码' }).click()
    await expect(dialog).toBeHidden()
    await expect(async () => {
      const { body } = await customer.call<{ password: string }>('GET', `/server-management/${order.serverId}/password`)
      expect(body.data.password).toBe(again)
    }).toPass({ timeout: 60_000 })

    await button(page, 'SSH连接').click()
    await expect(note(page, 'SSH命令已复制到剪贴板')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`ssh root@${order.ipAddress} -p 22022`)
  })

  test('protects against a reinstall, and reinstalls once that is off', async ({ page }) => {
    const parts = page.getByRole('navigation', { name: '服务器的各部分' })
    const protection = page.getByRole('switch', { name: '保护（禁止重装和释放）' })
    const reinstall = card(page, '系统重装')
    const go = reinstall.getByRole('button', { name: '重装系统' })
    await page.goto(`/server-manage/${order.id}?part=security`)
    await protection.press('Space')
    await expect(note(page, '已开启保护')).toBeVisible()
    await parts.getByRole('link', { name: '概览' }).click()
    await expect(go).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Tab')
    await go.focus()
    await expect(page.getByRole('tooltip')).toHaveText('服务器已开启保护，请先关闭保护')
    await parts.getByRole('link', { name: '安全' }).click()
    await protection.press('Space')
    await expect(note(page, '已关闭保护')).toBeVisible()
    await parts.getByRole('link', { name: '概览' }).click()

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
    await confirm.click()
    await expect(note(page, '已提交重装系统任务')).toBeVisible()
    await expect(page).toHaveURL(/\/server-install-progress\//)
    await expect(page.getByText('服务器已就绪')).toBeVisible()
    await page.getByRole('link', { name: '打开控制台' }).click()
    await expect(fact(page, '操作系统')).toHaveText('Ubuntu 24.04 LTS')
  })
})

test('a snapshot is taken while the server runs, and brings the disk and its password back', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(100)
  await enterAs(context, customer)
  const order = await payFor(customer, await orderFor(customer, '香港入门型', { initialPassword: 'Anfangs-1x' }))
  const press = (name: string) => {
    const act = button(page, name)
    return expect(act)
      .not.toHaveAttribute('aria-disabled', 'true')
      .then(() => act.click())
  }
  const question = page.getByRole('alertdialog')
  const shownPassword = async () => {
    const { body } = await customer.call<{ password: string }>('GET', `/server-management/${order.serverId}/password`)
    return body.data.password
  }
  await page.goto(`/server-manage/${order.id}?part=disk`)
  await expect(page.getByText('还没有快照')).toBeVisible()
  await press('创建快照')
  await question.getByRole('textbox').fill('升级之前')
  await question.getByRole('button', { name: '确认创建快照' }).click()
  await expect(note(page, '创建快照完成')).toBeVisible()
  await expect(page.getByText('可恢复', { exact: true })).toBeVisible()
  await expectSound(page, 'a server with a snapshot')

  const { serverId } = order
  const wanted = { serverId, action: 'resetPassword', newPassword: 'Danach-2y' }
  expect((await customer.call('POST', '/server-management/action', wanted)).status).toBe(200)
  await expect.poll(shownPassword).toBe('Danach-2y')
  await press('恢复 升级之前')
  await question.getByRole('textbox').fill(order.serverName)
  await question.getByRole('button', { name: '确认恢复快照' }).click()
  await expect(note(page, '恢复快照完成')).toBeVisible()
  expect(await shownPassword()).toBe('Anfangs-1x')

  await press('删除 升级之前')
  await question.getByRole('button', { name: '确认删除' }).click()
  await expect(note(page, '删除快照完成')).toBeVisible()
  await expect(page.getByText('还没有快照')).toBeVisible()
})

test('a reinstall under way leads from the dashboard to its progress, and one that fails for good says so', async ({
  page,
  context,
}) => {
  const { customer, order, host } = await ownHost()
  await enterAs(context, customer)
  const menu = async (name: string) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: `${order.serverName} 的更多操作` }).click()
    return page.getByRole('menuitem', { name, exact: true })
  }
  const { osName, osVersion, serverId } = order
  const wanted = { osName, osVersion, rootPassword: 'Neues-Wort-1', sshPort: 22022 }
  expect((await customer.call('POST', `/server-management/${serverId}/install`, wanted)).status).toBe(200)
  await (await menu('查看进度')).click()
  await expect(page).toHaveURL(new RegExp(`/server-install-progress/${serverId}$`))
  await expect(page.getByRole('heading', { name: '正在重装系统' })).toBeVisible()
  await host.finish((await host.claim())!, failed)
  await expect(page.getByRole('heading', { name: '安装失败' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expectSound(page, 'a reinstall that failed')
  await expect(await menu('重装系统')).toBeVisible()
})

test('an installation that every host fails at says so, gives the money back and leads on', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(100)
  await enterAs(context, customer)
  await whileHostsFail('verifyImage', async () => {
    const order = await orderFor(customer, '香港入门型')
    const paid = await customer.call<OrderView>('POST', `/orders/${order.id}/pay`)
    await page.goto(`/server-install-progress/${paid.body.data.serverId}`)
    await expect(page.getByText(/第 [23] 次尝试/)).toBeVisible()
    await expect(page.getByText('服务器未能开通，订单已取消，款项已全额退回账户余额。')).toBeVisible({
      timeout: 120_000,
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

test('a server that lets nobody in is taken into rescue, says so on every part, and comes back', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(100)
  await enterAs(context, customer)
  const order = await payFor(customer, await orderFor(customer, '香港入门型', { initialPassword: 'Anfangs-1x' }))
  const question = page.getByRole('alertdialog')
  const state = page.getByRole('region', { name: '救援模式' })
  await page.goto(`/server-manage/${order.id}`)
  await page.getByRole('main').getByRole('link', { name: '安全' }).last().click()
  await expect(button(page, '进入救援模式')).not.toHaveAttribute('aria-disabled', 'true')
  await button(page, '进入救援模式').click()
  await question.getByRole('button', { name: '确认进入救援模式' }).click()
  await expect(note(page, '进入救援模式完成')).toBeVisible()
  await state.getByRole('button', { name: '显示密码' }).click()
  await expect(state.getByRole('textbox', { name: /救援密码/ })).toHaveValue(/^[A-Za-z0-9]{12}$/)
  await expectSound(page, 'a server in rescue')

  await page.goto(`/server-manage/${order.id}?part=logs`)
  await button(page, '退出救援模式').click()
  await question.getByRole('button', { name: '确认退出救援模式' }).click()
  await expect(note(page, '退出救援模式完成')).toBeVisible()
  await expect(state).toBeHidden()
})

test('a disc is put into a server, told on every part with the way to its screen, and taken out', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(100)
  await enterAs(context, customer)
  const order = await payFor(customer, await orderFor(customer, '香港入门型', { initialPassword: 'Anfangs-1x' }))
  const question = page.getByRole('alertdialog')
  const state = page.getByRole('region', { name: '光驱' })
  await page.goto(`/server-manage/${order.id}?part=disk`)
  await expect(button(page, '插入光盘')).not.toHaveAttribute('aria-disabled', 'true')
  await button(page, '插入光盘').click()
  await question.getByLabel('光盘').selectOption('SystemRescue 11')
  await expectSound(page, 'a disc to be put in')
  await question.getByRole('button', { name: '插入并重启' }).click()
  await expect(note(page, '插入光盘完成')).toBeVisible()
  await expect(state.getByText('光驱中有光盘：SystemRescue 11')).toBeVisible()
  await expectSound(page, 'a server with a disc')

  await page.goto(`/server-manage/${order.id}?part=logs`)
  await expect(state.getByRole('button', { name: '远程连接' })).toBeVisible()
  await state.getByRole('button', { name: '弹出光盘' }).click()
  await question.getByRole('button', { name: '确认弹出光盘' }).click()
  await expect(note(page, '弹出光盘完成')).toBeVisible()
  await expect(state).toBeHidden()
})

test('a firewall is made of a template, holds once its host says so, and is found again', async ({ page, context }) => {
  const customer = await newCustomer()
  await customer.recharge(100)
  await enterAs(context, customer)
  const order = await payFor(customer, await orderFor(customer, '香港入门型', { initialPassword: 'Anfangs-1x' }))
  const rules = page.getByRole('list', { name: '防火墙规则' }).getByRole('listitem')
  await page.goto(`/server-manage/${order.id}?part=network`)
  await expect(page.getByRole('main').getByText('在线', { exact: true })).toBeVisible()
  await button(page, '仅 SSH').click()
  await button(page, '保存并应用').click()
  await expect(page.getByRole('main').getByText('已生效')).toBeVisible()
  await expectSound(page, 'a firewall')
  await page.reload()
  await expect(rules).toHaveCount(2)
})
