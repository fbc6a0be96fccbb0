import { randomBytes, randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { waitFor } from '../setup/customer.js'
import { demoAdmin, enterAs, newCustomer } from './people.js'
import { expect, test } from './test.js'

test.beforeEach(async ({ context }) => enterAs(context, await demoAdmin()))

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function choose(page: Page, name: string, entry: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('a host is prepared with a one-time command, edited, and retired by its typed name', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const name = `host-${randomBytes(3).toString('hex')}`
  await page.goto('/hosts')
  await page.getByRole('button', { name: '接入宿主机' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称').fill(name)
  await dialog.getByLabel('CPU 超售比').fill('2')
  await dialog.getByLabel('云服务器 / 香港 CN2').check()
  await dialog.getByRole('button', { name: '生成接入命令' }).click()
  const command = page.getByRole('group', { name: '接入命令' })
  await expect(command).toContainText(/API_URL=http.* ENROLMENT_TOKEN=\S{20,} npm run agent/)
  await dialog.getByRole('button', { name: '复制命令' }).click()
  // The browser takes it a moment after the press.
  await expect(page.getByText('接入命令已复制')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await command.textContent())
  await dialog.getByRole('button', { name: '完成' }).click()

  await expect(rowOf(page, name)).toContainText('待接入')
  await rowOf(page, name).getByRole('button', { name: '编辑' }).click()
  await dialog.getByLabel('保留内存').fill('1024')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('宿主机已更新')).toBeVisible()
  await choose(page, name, '退役')
  const confirm = page.getByRole('alertdialog')
  await confirm.getByRole('textbox').fill(name)
  await confirm.getByRole('button', { name: '确认退役' }).click()
  await expect(rowOf(page, name)).toContainText('已退役')
})

test('a balance is adjusted with a reason that the audit log keeps; below zero is refused', async ({ page }) => {
  const customer = await newCustomer()
  await page.goto(`/users?q=${customer.username}`)
  await page.getByRole('link', { name: customer.username, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: customer.username })).toBeVisible()
  const adjust = async (amount: string) => {
    await page.getByRole('button', { name: '调整余额' }).click()
    await page.getByRole('dialog').getByLabel('调整金额').fill(amount)
    await page.getByRole('dialog').getByLabel('原因').fill('补偿停机')
    await page.getByRole('dialog').getByRole('button', { name: '确认调整' }).click()
  }
  await adjust('12.50')
  await expect(page.getByRole('main')).toContainText('¥12.50')
  expect(await customer.balance()).toBe(12.5)
  await adjust('-20')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('余额只有 ¥12.50，不足以扣减')
  expect(await customer.balance()).toBe(12.5)
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()

  await page.getByRole('link', { name: '审计日志', exact: true }).click()
  await expect(page).toHaveURL(/\?part=audit/)
  await rowOf(page, '调整余额').first().getByRole('button', { name: '查看' }).click()
  await expect(page.getByRole('dialog')).toContainText('补偿停机')
  await expect(page.getByRole('dialog')).toContainText('admin')
  await expect(page.getByRole('dialog')).toContainText('127.0.0.1')
})

test('a suspended account is out at once, and in again when it is let in', async ({ page }) => {
  const customer = await newCustomer()
  await page.goto(`/users?q=${customer.username}`)
  await choose(page, customer.username, '停用账户')
  const confirm = page.getByRole('alertdialog')
  await confirm.getByLabel('原因').fill('滥用')
  await confirm.getByRole('button', { name: '确认停用' }).click()
  await expect(rowOf(page, customer.username)).toContainText('已停用')
  expect((await customer.call('GET', '/auth/profile')).status).toBe(401)
  const signIn = { username: customer.username, password: customer.password }
  expect((await customer.call('POST', '/auth/login', signIn)).status).toBe(403)
  await choose(page, customer.username, '启用账户')
  await confirm.getByLabel('原因').fill('已说明')
  await confirm.getByRole('button', { name: '确认启用' }).click()
  await expect(rowOf(page, customer.username)).toContainText('正常')
  expect((await customer.call('POST', '/auth/login', signIn)).status).toBe(200)
})

test('an order is suspended, resumed and refunded; its jobs and steps are there to read', async ({ page }) => {
  const admin = await demoAdmin()
  const customer = await newCustomer()
  const userId = String((await customer.call('GET', '/auth/profile')).body['id'])
  await admin.call('PUT', `/wallet/balance?amount=500&userId=${userId}`)
  const order = await customer.placeOrder()
  await customer.call('POST', `/orders/${order.id}/pay`)
  await waitFor(async () => (await customer.readOrder(order.id)).status === 'ACTIVE', 'the server to run')

  await page.goto(`/all-orders?q=${order.orderNumber}`)
  const row = rowOf(page, order.orderNumber)
  await expect(row).toContainText('活跃')
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '暂停', exact: true }).click()
  await page.getByRole('alertdialog').getByLabel('原因').fill('测试')
  await page.getByRole('alertdialog').getByRole('button', { name: '确认暂停' }).click()
  await expect(row).toContainText('暂停')
  expect((await customer.call('POST', `/orders/${order.id}/renew`)).status).toBe(409)
  await choose(page, order.orderNumber, '恢复')
  await page.getByRole('alertdialog').getByRole('button', { name: '确认恢复' }).click()
  await expect(row).toContainText('活跃')

  await choose(page, order.orderNumber, '查看任务')
  await expect(page).toHaveURL(/\/jobs\?server=/)
  await rowOf(page, '安装').getByRole('button', { name: '详情' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem')).not.toHaveCount(0)
  await expect(page.getByRole('dialog')).toContainText('成功')

  await customer.call('POST', `/orders/${order.id}/refund`, { reason: '选错了地域' })
  await page.goto('/refunds?status=PENDING')
  await rowOf(page, order.orderNumber).getByRole('button', { name: '批准' }).click()
  await page.getByRole('alertdialog').getByLabel('处理说明').fill('同意')
  await page.getByRole('alertdialog').getByRole('button', { name: '确认批准' }).click()
  await expect(page.getByText('退款已批准')).toBeVisible()
  expect(await customer.balance()).toBe(500)
  expect((await customer.readOrder(order.id)).status).toBe('CANCELLED')
})

test('an image and a pool are made; an address is kept back and given again', async ({ page }) => {
  const mark = randomBytes(3).toString('hex')
  await page.goto('/images')
  await page.getByRole('button', { name: '新增' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('系统名称').fill('Alpine')
  await dialog.getByLabel('版本').fill(mark)
  await dialog.getByLabel('文件名').fill(`alpine-${mark}.qcow2`)
  await dialog.getByLabel('启用').uncheck({ force: true })
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('镜像已创建')).toBeVisible()
  await page.goto(`/images?q=${mark}`)
  await expect(rowOf(page, mark)).toContainText('没有宿主机拥有此文件')

  const [a, b] = [randomInt(16, 32), randomInt(256)]
  await page.goto('/ip-pools')
  await page.getByRole('button', { name: '新增' }).click()
  await dialog.getByLabel('名称').fill(`pool-${mark}`)
  await dialog.getByLabel('网段').fill(`172.${a}.${b}.0/29`)
  await dialog.getByLabel('网关').fill(`172.${a}.${b}.1`)
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('IP 池已创建')).toBeVisible()
  await rowOf(page, `pool-${mark}`).getByRole('button', { name: '查看地址' }).click()
  const address = dialog.getByRole('row').filter({ hasText: `172.${a}.${b}.2` })
  await address.getByRole('button', { name: '保留' }).click()
  await expect(address.getByRole('button', { name: '取消保留' })).toBeVisible()
  await address.getByRole('button', { name: '取消保留' }).click()
  await expect(address).toContainText('可用')
})
