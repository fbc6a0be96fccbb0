import { enterAs, newCustomer, registerOnScreen } from './people.js'
import { tabTo } from './states.js'
import { expect, test } from './test.js'

test('register, recharge, buy, watch it being set up, see it live, restart it, reset its password', async ({
  page,
  context,
}) => {
  await registerOnScreen(page)

  await test.step('recharge ¥200 by a click in the sandbox gateway', async () => {
    // The menu's code comes a moment after the page.
    await page.locator('button[aria-haspopup]', { hasText: '财务' }).click()
    await page.getByRole('menuitem', { name: '充值' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/充值/)
    await page.getByRole('button', { name: '¥200', exact: true }).click()
    await page.getByRole('button', { name: '立即充值' }).click()
    const opened = context.waitForEvent('page')
    await page.getByRole('dialog').getByRole('button', { name: '前往支付' }).click()
    const cashier = await opened
    await expect(cashier.getByText('沙箱环境')).toBeVisible()
    // The first window learns of it by itself, and says so for four seconds while the other is looked at.
    const told = expect(page.getByText('支付成功，余额已到账')).toBeVisible()
    await cashier.getByRole('button', { name: '确认支付' }).click()
    await expect(cashier).toHaveURL(/\/payment\/success\?order=/)
    await expect(cashier.getByText('支付成功').first()).toBeVisible()
    await cashier.close()
    await expect(page).toHaveURL(/\/profile$/)
    await told
  })

  await test.step('buy a server', async () => {
    await page.getByRole('link', { name: '产品' }).first().click()
    await page.getByRole('radio', { name: '按月' }).check({ force: true })
    await page.getByLabel('初始密码').fill('Anfangs-1x')
    await page.getByLabel('SSH端口').fill('22022')
    await page.getByRole('complementary', { name: '订单摘要' }).getByRole('button', { name: '立即购买' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '支付', exact: true }).click()
  })

  await test.step('watch the set-up to its end', async () => {
    await expect(page).toHaveURL(/\/server-install-progress\//)
    await expect(page.getByRole('progressbar')).toBeVisible()
    await page.reload()
    await expect(page.getByText('安装完成').first()).toBeVisible()
  })

  await test.step('the console shows it online with live figures', async () => {
    await page.goto('/dashboard')
    await page
      .getByRole('link', { name: '管理' })
      .or(page.getByRole('button', { name: '管理' }))
      .first()
      .click()
    await expect(page).toHaveURL(/\/server-manage\//)
    await expect(page.getByText('在线').first()).toBeVisible()
    await expect(page.getByText('22022').first()).toBeVisible()
    await expect(page.getByText(/\d+(\.\d+)?\s*%/).first()).toBeVisible()
  })

  await test.step('restart it', async () => {
    await page.getByRole('button', { name: /^重启/ }).click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(dialog).toContainText('确认执行此操作？')
    await dialog.getByRole('button', { name: '确认' }).click()
    await expect(page.getByText('操作已提交').first()).toBeVisible()
    // Another act before its end would be refused.
    await expect(page.getByText('重启完成').first()).toBeVisible()
  })

  await test.step('reset its password', async () => {
    await page.getByLabel('新密码').fill('Neues-Wort-1')
    await page.getByRole('button', { name: '重置密码' }).click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(dialog).toContainText('Neues-Wort-1')
    await dialog.getByRole('button', { name: '确认' }).click()
    await expect(page.getByText('密码重置成功').first()).toBeVisible()
  })
})

test('buying works with the keyboard alone', async ({ page, context }) => {
  const customer = await newCustomer()
  await customer.recharge(500)
  await enterAs(context, customer)
  await page.goto('/sales')
  const period = page.getByRole('radio', { name: '按小时' })
  await expect(period).toBeAttached()
  await tabTo(page, page.getByRole('group', { name: '计费周期' }).getByRole('radio'))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('button', { name: '立即购买' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '支付订单' })
  await tabTo(page, dialog.getByRole('button', { name: '支付', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/server-install-progress\//)
})

test('three servers are bought at once, paid in one, and all come up', async ({ page, context }) => {
  const customer = await newCustomer()
  await customer.recharge(500)
  await enterAs(context, customer)
  await page.goto('/sales')
  const more = page.getByRole('button', { name: '增加数量' })
  await more.click()
  await more.click()
  await page.getByRole('complementary', { name: '订单摘要' }).getByRole('button', { name: '立即购买' }).click()
  const dialog = page.getByRole('dialog', { name: '支付订单' })
  await expect(dialog.getByRole('list', { name: '一起支付的 3 个订单' }).getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('button', { name: '支付', exact: true }).click()
  await expect(page).toHaveURL(/\/server-install-progress\//)
  await expect(page.getByRole('heading', { name: '一起购买的 3 台服务器' })).toBeVisible()
  const servers = page.getByRole('main').locator('a[href^="/server-install-progress/"]')
  await expect(servers).toHaveCount(3)
  await expect(servers.filter({ hasText: /安装完成|活跃/ })).toHaveCount(3)
  for (const n of [0, 1, 2]) {
    await servers.nth(n).click()
    await expect(servers.nth(n)).toHaveAttribute('aria-current', 'page')
    await expect(page.getByText(/^ssh root@[\d.]+ -p 22$/)).toBeVisible()
  }
  const { body } = await customer.call<{ content: { type: string }[] }>('GET', '/transactions/page?size=100')
  expect(body.data.content.filter((entry) => entry.type === 'ORDER_PAYMENT')).toHaveLength(3)
})
