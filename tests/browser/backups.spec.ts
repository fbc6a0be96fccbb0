import { enterAs, newCustomer, orderFor, payFor } from './people.js'
import { expectSound, followSystemMode, note } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(({ page }) => followSystemMode(page))

/** Of the day after tomorrow in Shanghai: the backup of that day must not be made while the test looks. */
const weekdayToCome = new Intl.DateTimeFormat('zh-CN', { weekday: 'short', timeZone: 'Asia/Shanghai' }).format(
  Date.now() + 2 * 86_400_000,
)

test('a backup that was bought brings the disk and its password back, and the next is made by itself', async ({
  page,
  context,
}) => {
  const customer = await newCustomer()
  await customer.recharge(300)
  await enterAs(context, customer)
  const wanted = { initialPassword: 'Anfangs-1x', backups: 2 }
  const order = await payFor(customer, await orderFor(customer, '香港标准型', wanted))
  const { serverId } = order
  const card = page.locator('section', { has: page.getByRole('heading', { level: 2, name: '备份', exact: true }) })
  const press = async (name: string | RegExp) => {
    const act = card.getByRole('button', { name, exact: true })
    await expect(act).not.toHaveAttribute('aria-disabled', 'true')
    await act.click()
  }
  const question = page.getByRole('alertdialog')
  const dialog = page.getByRole('dialog')
  const shownPassword = async () => {
    const { body } = await customer.call<{ password: string }>('GET', `/server-management/${serverId}/password`)
    return body.data.password
  }

  await page.goto(`/server-manage/${order.id}?part=disk`)
  await expect(card.getByText('还没有备份')).toBeVisible()
  await expect(card.getByText('已用 0 / 2 个')).toBeVisible()
  await press('创建备份')
  await question.getByRole('button', { name: '确认创建备份' }).click()
  await expect(note(page, '创建备份完成')).toBeVisible()
  await expect(card.getByText('可恢复', { exact: true })).toBeVisible()
  await press('设置定时备份')
  await dialog.getByLabel('频率').selectOption('每周')
  await dialog.getByLabel('星期').selectOption(weekdayToCome)
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(card.getByText(`每${weekdayToCome} 03:00 至 04:00 备份`)).toBeVisible()
  await expectSound(page, 'a server with a backup and a schedule')

  const changed = { serverId, action: 'resetPassword', newPassword: 'Danach-2y' }
  expect((await customer.call('POST', '/server-management/action', changed)).status).toBe(200)
  await expect.poll(shownPassword).toBe('Danach-2y')
  await press(/^恢复 .* 的备份$/)
  await question.getByRole('textbox').fill(order.serverName)
  await question.getByRole('button', { name: '确认恢复备份' }).click()
  await expect(note(page, '恢复备份完成')).toBeVisible()
  expect(await shownPassword()).toBe('Anfangs-1x')

  await press(/^删除 .* 的备份$/)
  await question.getByRole('button', { name: '确认删除' }).click()
  await expect(card.getByText('还没有备份')).toBeVisible()
  await expect(card.getByText(`每${weekdayToCome} 03:00 至 04:00 备份`)).toBeVisible()
})
