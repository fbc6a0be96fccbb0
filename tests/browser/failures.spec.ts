/**
 * The error catalogue of the specification: what each act and each read says where somebody else answers in the product's
 * place (a proxy's page, JSON that is not ours, a missing path) and where nothing answers. A proxy does so, over real HTTP.
 */
import { expect, type Page } from '@playwright/test'
import type { OrderView } from '@vps/shared/orders.contract'
import { badGateway, type Answer } from '../setup/proxy.js'
import type { Customer } from '../setup/customer.js'
import { test } from './line.js'
import { demoAdmin, demoCustomer, enterAs, newCustomer } from './people.js'
import { expectSettled, expectSound, expectUnknown, followSystemMode, note, visit } from './states.js'

const cutShort: Answer = { status: 200, type: 'application/json', body: '[{"result":{"da' }
const foreignJson: Answer = { status: 500, type: 'application/json', body: '{"error":"upstream connect error"}' }
const missing: Answer = { status: 404, type: 'text/html', body: '<h1>404 Not Found</h1>' }

const alert = (page: Page) => page.getByRole('main').getByRole('alert')
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test.beforeEach(({ page }) => followSystemMode(page))

test('signing in and registering fall back to 登录失败 and 注册失败, whatever it was that answered', async ({
  page,
  line,
}) => {
  await page.goto('/auth')
  await page.getByLabel('用户名').fill('demo')
  await page.getByLabel('密码', { exact: true }).fill('Demo-user-1')
  for (const [answer, sentence] of [
    [badGateway, '登录失败'],
    [cutShort, '登录失败'],
    [foreignJson, '登录失败'],
    ['nothing', '网络连接错误'],
  ] as const) {
    await line.whileAnswering(/accounts\.signIn/, answer, async () => {
      await button(page, '登录').click()
      await expect(alert(page)).toHaveText(sentence)
      await page.getByRole('button', { name: '关闭提示' }).click()
    })
  }
  await page.getByRole('button', { name: '立即注册' }).click()
  await page.getByLabel('用户名').fill('somebody_new')
  await page.getByLabel('邮箱').fill('somebody@example.com')
  await page.getByLabel('密码', { exact: true }).fill('Geheim-123')
  await page.getByLabel('确认密码').fill('Geheim-123')
  await line.whileAnswering(/accounts\.register/, badGateway, async () => {
    await button(page, '注册').click()
    await expect(alert(page)).toHaveText('注册失败')
  })
})

test('a forgotten password falls back to 验证码发送失败 and 密码重置失败', async ({ page, line }) => {
  const { username } = await newCustomer()
  await page.goto('/forgot-password')
  await page.getByLabel('邮箱').fill(`${username}@example.com`)
  await line.whileAnswering(/accounts\.forgotPassword/, badGateway, async () => {
    await button(page, '发送验证码').click()
    await expect(alert(page)).toHaveText('验证码发送失败')
  })
  await button(page, '发送验证码').click()
  await page.getByLabel('验证码').fill('123456')
  await page.getByLabel('新密码').fill('Neues-Wort-9')
  await page.getByLabel('确认密码').fill('Neues-Wort-9')
  await line.whileAnswering(/accounts\.resetPassword/, badGateway, async () => {
    await button(page, '重置密码').click()
    await expect(alert(page)).toHaveText('密码重置失败')
  })
})

test('the shop names every read that failed, and an order that was not placed 创建订单失败', async ({
  page,
  context,
  line,
}) => {
  await enterAs(context, await newCustomer())
  await page.goto('/profile')
  await expectSettled(page)
  await line.whileAnswering(/catalogue/, badGateway, async () => {
    await visit(page, '/sales')
    for (const sentence of ['获取服务器类别失败', '获取服务器分组失败', '获取价格组失败', '服务器错误，请稍后重试'])
      await expect(alert(page)).toContainText(sentence, { timeout: 15_000 })
    await expectSound(page, 'a shop behind a broken proxy')
  })
  await button(page, '重试').click()
  await page.getByRole('radio', { name: '按月' }).check({ force: true })
  await line.whileAnswering(/orders\.place/, badGateway, async () => {
    await button(page, '立即购买').click()
    await expect(alert(page)).toHaveText('创建订单失败')
  })
})

test.describe('a customer with orders', () => {
  let demo: Customer
  let order: OrderView

  test.beforeAll(async () => {
    demo = await demoCustomer()
    const orders = (await demo.call<OrderView[]>('GET', '/orders')).body.data
    for (const one of orders.filter(({ status }) => status === 'ACTIVE')) {
      type Details = { driver: string; protected: boolean }
      const { driver, ...server } = (await demo.call<Details>('GET', `/server-management/${one.serverId}`)).body.data
      if (driver === 'kvm' && !server.protected) order = one
    }
  })

  test.beforeEach(({ context }) => enterAs(context, demo))

  test('reads 加载订单失败, 支付失败, 取消订单失败 and 自动续费设置更新失败', async ({ page, line }) => {
    const pending = await demo.placeOrder({ billingPeriod: 'HOURLY' })
    await page.goto('/profile')
    await expectSettled(page)
    await line.whileAnswering(/orders\.page/, badGateway, async () => {
      await visit(page, '/orders')
      await expect(alert(page)).toContainText('加载订单失败', { timeout: 15_000 })
      await expect(alert(page)).toContainText('服务器错误，请稍后重试')
    })
    await button(page, '重试').click()
    await line.whileAnswering(/orders\.setAutoRenewal/, badGateway, async () => {
      await page.getByRole('switch', { name: `自动续费 ${order.orderNumber}` }).click({ force: true })
      await expect(note(page, '自动续费设置更新失败')).toBeVisible()
    })
    await page.goto(`/orders?orderId=${pending.id}`)
    await page.getByRole('dialog').getByRole('button', { name: '支付', exact: true }).click()
    const paying = page.getByRole('dialog', { name: '支付订单' })
    await line.whileAnswering(/orders\.pay/, badGateway, async () => {
      await paying.getByRole('button', { name: '支付', exact: true }).click()
      await expect(paying.getByRole('alert')).toHaveText('支付失败')
    })
    await page.goto(`/orders?orderId=${pending.id}`)
    await page.getByRole('dialog').getByRole('button', { name: '取消订单' }).click()
    const question = page.getByRole('alertdialog', { name: '取消订单' })
    await line.whileAnswering(/orders\.cancel/, badGateway, async () => {
      await question.getByRole('button', { name: '确认取消订单' }).click()
      await expect(question.getByRole('alert')).toHaveText('取消订单失败')
    })
    expect((await demo.readOrder(pending.id)).status).toBe('PENDING')
    await demo.call('PUT', `/orders/${pending.id}/cancel`)
  })

  test('reads 创建支付订单失败, and 查询支付状态失败 with the reason where there is one', async ({ page, line }) => {
    await page.goto('/recharge')
    await line.whileAnswering(/payments\.create/, badGateway, async () => {
      await button(page, '立即充值').click()
      await expect(alert(page)).toHaveText('创建支付订单失败')
    })
    await button(page, '立即充值').click()
    const dialog = page.getByRole('dialog', { name: '扫码支付' })
    await line.whileAnswering(/payments\.status/, badGateway, async () => {
      await dialog.getByRole('button', { name: '检查支付状态' }).click()
      await expect(note(page, /^查询支付状态失败$/)).toBeVisible({ timeout: 15_000 })
    })
    await line.whileAnswering(/payments\.status/, 'nothing', async () => {
      await dialog.getByRole('button', { name: '检查支付状态' }).click()
      await expect(note(page, '查询支付状态失败：网络连接错误')).toBeVisible({ timeout: 15_000 })
    })
    await dialog.getByRole('button', { name: '取消支付' }).click()
  })

  test('is signed out where the profile cannot be read as the page loads', async ({ page, line }) => {
    await line.whileAnswering(/accounts\.me/, badGateway, async () => {
      await page.goto('/orders')
      await expect(page).toHaveURL(/\/auth\?next=%2Forders$/, { timeout: 15_000 })
    })
    expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([
      null,
      null,
    ])
  })

  test('reads no balance and no outcome of a payment that could not be read', async ({ page, line }) => {
    const started = await demo.call('POST', '/payment/create', { money: 12, type: 'alipay' })
    const number = started.body['outTradeNo'] as string
    await page.goto('/orders')
    await expectSettled(page)
    await line.whileAnswering(/wallet\.|payments\./, badGateway, async () => {
      await visit(page, '/recharge')
      await expect(page.getByText('暂时无法读取')).toBeVisible({ timeout: 15_000 })
      await expectSound(page, 'recharging without a known balance')
      await visit(page, `/payment/success?order=${number}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('正在确认支付结果')
      await expectSound(page, 'an outcome that is not known yet')
    })
    await demo.call('PUT', `/payment/order/${number}/cancel`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('支付失败')
  })

  for (const [what, address, call, title, answers] of [
    [
      'transactions',
      '/transactions',
      /wallet\./,
      '加载交易记录失败',
      [
        [badGateway, '后端服务未启动或API路径错误'],
        ['nothing', '网络连接错误'],
      ],
    ],
    [
      'payments',
      '/payment/history',
      /payments\./,
      '加载支付记录失败',
      [
        [badGateway, '服务器错误，请稍后重试'],
        [missing, '支付记录接口不存在'],
        ['nothing', '无法连接到服务器'],
      ],
    ],
  ] as const)
    test(`reads of ${what} why they could not be read`, async ({ page, line }) => {
      for (const [answer, reason] of answers) {
        await page.goto('/profile')
        await expectSettled(page)
        await line.whileAnswering(call, answer, async () => {
          await visit(page, address)
          await expect(alert(page)).toContainText(title, { timeout: 15_000 })
          await expect(alert(page)).toContainText(reason)
        })
      }
      await expectSound(page, `${what} behind a broken proxy`)
    })

  test('reads 个人资料更新失败, and is offered a wallet where none could be read', async ({ page, line }) => {
    await page.goto('/dashboard')
    await expectSettled(page)
    await line.whileAnswering(/wallet\./, badGateway, async () => {
      await visit(page, '/profile')
      await expect(alert(page).first()).toContainText('服务器错误，请稍后重试', { timeout: 15_000 })
      await button(page, '创建钱包').click()
      await expect(note(page, '钱包创建失败')).toBeVisible()
      await expectSound(page, 'a wallet that could not be read')
    })
    const balance = await demo.balance()
    await button(page, '创建钱包').click()
    await expect(note(page, '钱包创建成功')).toBeVisible()
    await expect(button(page, '创建钱包')).toHaveCount(0)
    await page.reload()
    expect(await demo.balance()).toBe(balance)
    await line.whileAnswering(/accounts\.updateProfile/, badGateway, async () => {
      await button(page, '保存').click()
      await expect(alert(page)).toHaveText('个人资料更新失败')
    })
  })

  test('reads in the console that an answer has the wrong form, that nothing came, and what could not be refreshed', async ({
    page,
    line,
  }) => {
    await page.goto(`/server-manage/${order.id}`)
    await expect(button(page, '重启')).not.toHaveAttribute('aria-disabled', 'true', { timeout: 30_000 })
    await button(page, '重启').click()
    const restart = page.getByRole('alertdialog', { name: '重启服务器' })
    for (const [answer, sentence] of [
      [badGateway, '服务器响应格式错误'],
      [cutShort, '服务器响应格式错误'],
    ] as const)
      await line.whileAnswering(/console\.act/, answer, async () => {
        await restart.getByRole('button', { name: '确认重启' }).click()
        await expect(restart.getByRole('alert')).toHaveText(sentence)
      })
    await line.whileAnswering(/console\.act/, 'nothing', async () => {
      await restart.getByRole('button', { name: '确认重启' }).click()
      await expectUnknown(restart)
    })
    // The focus has stayed in the dialog, so the key that closes it does.
    await page.keyboard.press('Escape')
    await expect(restart).toHaveCount(0)
    await button(page, '重装系统').click()
    const reinstall = page.getByRole('alertdialog', { name: '重装系统' })
    await reinstall.getByRole('textbox').fill(order.serverName)
    await line.whileAnswering(/console\.reinstall/, badGateway, async () => {
      await reinstall.getByRole('button', { name: '确认重装系统' }).click()
      await expect(reinstall.getByRole('alert')).toHaveText('服务器响应格式错误')
    })
    await page.keyboard.press('Escape')
    await line.whileAnswering(/trpc\/.*orders\.get/, badGateway, async () => {
      await button(page, '刷新数据').click()
      await expect(note(page, /^刷新数据失败$/)).toBeVisible({ timeout: 15_000 })
    })
    await page.getByRole('button', { name: '关闭通知' }).click()
    await line.whileAnswering(/trpc\/.*orders\.get/, 'nothing', async () => {
      await button(page, '刷新数据').click()
      await expect(note(page, '刷新数据失败：网络连接错误')).toBeVisible({ timeout: 15_000 })
    })
  })

  test('is led from a console whose order could not be read to the dashboard, with both sentences', async ({
    page,
    line,
  }) => {
    await page.goto('/dashboard')
    await expectSettled(page)
    await line.whileAnswering(/trpc\/.*orders\.get/, badGateway, async () => {
      await visit(page, `/server-manage/${order.id}`)
      await expect(page).toHaveURL(/\/dashboard$/, { timeout: 15_000 })
      await expect(
        note(page, '加载服务器信息失败，请稍后重试（加载订单信息失败: 服务器错误，请稍后重试）'),
      ).toBeVisible()
    })
  })
})

test('an administrator reads what could not be got, created or deleted on the four screens', async ({
  page,
  context,
  line,
}) => {
  test.setTimeout(90_000)
  const admin = await demoAdmin()
  const [group] = (await admin.call<{ id: string }[]>('GET', '/groups/active')).body.data
  // One of its own, since those that are sold cannot be deleted.
  const ip = '198.51.100.77'
  const machine = { ip, port: 22, username: 'root', password: 'Geheim-123', groupId: group!.id }
  const specs = { operatingSystem: 'Debian 12', cpuCores: 2, memory: 4, diskSpace: 40, diskType: 'SSD' }
  const entered = await admin.call<{ id: string }>('POST', '/servers', {
    ...machine,
    ...specs,
    networkSpeed: '100 Mbps',
  })
  expect(entered.status, JSON.stringify(entered.body)).toBe(200)
  // What holds others is not offered for deletion.
  const [category] = (await admin.call<{ id: string }[]>('GET', '/categories/active')).body.data
  const empty = `空的 ${Date.now()}`
  const emptyCategory = await admin.call<{ id: string }>('POST', '/categories', { name: empty, sortOrder: 99 })
  const inside = { name: empty, categoryId: category!.id, sortOrder: 99 }
  const emptyGroup = await admin.call<{ id: string }>('POST', '/groups', inside)
  await enterAs(context, admin)
  for (const [address, call, noun, list] of [
    [`/categories?q=${empty}`, /catalogue\.(c|deleteC)ateg/, '服务器分类', '获取服务器类别失败'],
    [`/groups?q=${empty}`, /catalogue\.(g|deleteG)roup/, '服务器分组', '获取服务器分组失败'],
    [`/servers?q=${ip}`, /servers\.(list|delete)/, '服务器', '获取服务器失败'],
    ['/price-groups', /catalogue\.(p|deleteP)rice/, '价格组', '获取价格组失败'],
  ] as const) {
    await page.goto('/profile')
    await expectSettled(page)
    await line.whileAnswering(call, badGateway, async () => {
      await visit(page, address)
      await expect(alert(page)).toContainText(list, { timeout: 15_000 })
    })
    await button(page, '重试').click()
    await page
      .getByRole('button', { name: /更多操作|^删除/ })
      .first()
      .click()
    const entry = page.getByRole('menuitem', { name: '删除' })
    const question = page.getByRole('alertdialog')
    await expect(entry.or(question)).toBeVisible()
    if (await entry.isVisible()) await entry.click()
    await expect(question).toBeVisible()
    const typed = question.getByRole('textbox')
    if (await typed.count()) await typed.fill(await question.locator('label b').innerText())
    await line.whileAnswering(/delete/, badGateway, async () => {
      await question.getByRole('button', { name: '确认删除' }).click()
      await expect(question.getByRole('alert')).toHaveText(`删除${noun}失败`)
    })
  }
  await page.goto('/categories')
  await button(page, '新增').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('名称').fill('不会创建')
  await line.whileAnswering(/createCategory/, badGateway, async () => {
    await form.getByRole('button', { name: '保存' }).click()
    await expect(form.getByRole('alert')).toHaveText('创建服务器分类失败')
  })
  await admin.call('DELETE', `/servers/${entered.body.data.id}`)
  await admin.call('DELETE', `/groups/${emptyGroup.body.data.id}`)
  await admin.call('DELETE', `/categories/${emptyCategory.body.data.id}`)
})
