import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { done, enrolByHand, failed } from '../setup/agent.js'
import { waitFor } from '../setup/customer.js'
import { ownHost } from './own-host.js'
import { demoAdmin, enterAs, newCustomer, playFaults, product } from './people.js'
import { fact, note } from './states.js'
import { expect, test } from './test.js'

test.beforeEach(async ({ context }) => enterAs(context, await demoAdmin()))

const mark = () => randomBytes(3).toString('hex')
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function choose(page: Page, name: string, entry: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** With a running server. */
async function owner() {
  const admin = await demoAdmin()
  const customer = await newCustomer()
  const id = String((await customer.call('GET', '/auth/profile')).body['id'])
  await admin.call('PUT', `/wallet/balance?amount=500&userId=${id}`)
  const order = await customer.placeOrder()
  await customer.call('POST', `/orders/${order.id}/pay`)
  await waitFor(async () => (await customer.readOrder(order.id)).status === 'ACTIVE', 'the server to run')
  return { customer, order: await customer.readOrder(order.id) }
}

test('a host is shown with what ails it and since when, and a machine that hangs is cut off from its finding', async ({
  page,
}) => {
  const { customer, order } = await owner()
  const host = await enrolByHand(product, await demoAdmin(), `host-${mark()}`)
  await host.report({ hung: [order.serverId!] })
  await page.goto(`/hosts?q=${host.name}`)
  await expect(rowOf(page, host.name)).toContainText('降级')
  await expect(rowOf(page, host.name)).toContainText(/没有响应的虚拟机，自 \d{4}/)
  await host.report({ hung: [order.serverId!], away: true })
  await page.reload()
  await expect(rowOf(page, host.name)).toContainText('宿主机异常')
  await expect(rowOf(page, host.name)).toContainText(/libvirt 没有响应，自 \d{4}/)

  await page.goto('/findings')
  await rowOf(page, host.name).filter({ hasText: '没有响应的虚拟机' }).getByRole('button', { name: '处理' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '强制关机', exact: true }).click()
  const asked = page.getByRole('alertdialog', { name: '强制关机' })
  await expect(asked).toContainText(order.serverName)
  await asked.getByRole('button', { name: '确认强制关机' }).click()
  await expect(note(page, '已提交强制关机任务')).toBeVisible()
  const power = async () =>
    (await customer.call<{ power: string }>('GET', `/server-management/${order.serverId}`)).body.data.power
  await expect.poll(power).toBe('off')

  await host.report()
  await page.reload()
  await expect(rowOf(page, host.name)).toHaveCount(0)
})

test('a machine whose definition is gone is defined anew from its finding, over its own disk, and runs again', async ({
  page,
}) => {
  const { customer, order } = await owner()
  const machine = async () =>
    (await customer.call<{ power: string; status: string }>('GET', `/server-management/${order.serverId}`)).body.data
  playFaults([{ verb: 'inventory', kind: 'undefine', serverId: order.serverId! }])
  await expect.poll(machine).toMatchObject({ power: 'unknown', status: 'OFFLINE' })

  await page.goto('/findings')
  const finding = rowOf(page, order.serverName).filter({ hasText: '缺失的虚拟机' })
  await finding.getByRole('button', { name: '处理' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '重新定义', exact: true }).click()
  const asked = page.getByRole('alertdialog', { name: '重新定义虚拟机' })
  await expect(asked).toContainText(order.serverName)
  await asked.getByRole('button', { name: '确认重新定义' }).click()
  await expect(note(page, '已提交重新定义任务')).toBeVisible()
  await expect.poll(machine).toMatchObject({ power: 'on', status: 'ONLINE' })

  await page.goto(`/jobs?q=${order.orderNumber}`)
  const done = rowOf(page, order.serverName).filter({ hasText: '重新定义' })
  await expect(done).toContainText('成功')
  await page.goto('/findings')
  await expect(page.getByRole('heading', { level: 1, name: '发现项' })).toBeVisible()
  await expect(finding).toHaveCount(0)
})

test('what a host holds that nothing explains is shown as it comes, cleaned by its agent, and gone by itself', async ({
  page,
}) => {
  const { order } = await owner()
  const host = await enrolByHand(product, await demoAdmin(), `host-${mark()}`)
  await page.goto('/findings')
  await expect(page.getByRole('heading', { level: 1, name: '发现项' })).toBeVisible()
  const foreign = crypto.randomUUID()
  const power = 'on' as const
  const domains = [order.serverId!, foreign].map((uuid) => ({ uuid, name: uuid, power, generation: null, macs: [] }))
  await host.tell({ domains, volumes: [{ name: 'backup.qcow2', bytes: 1e9 }] })

  const ours = rowOf(page, host.name).filter({ hasText: order.serverName })
  await expect(ours).toContainText('多余的虚拟机')
  await expect(rowOf(page, host.name)).toHaveCount(3)

  // Not ours: a command to type, nothing to press.
  await rowOf(page, foreign).getByRole('button', { name: '处理' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('group', { name: '清理命令' })).toContainText(`virsh undefine ${foreign}`)
  await expect(dialog.getByRole('button', { name: '清理', exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: '标记为已处理' }).click()
  await expect(note(page, '发现项已处理')).toBeVisible()
  await expect(rowOf(page, foreign)).toHaveCount(0)

  await ours.getByRole('button', { name: '处理' }).click()
  await dialog.getByRole('button', { name: '清理', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '确认清理' }).click()
  await expect(note(page, '已提交清理任务')).toBeVisible()
  const job = await host.claim()
  expect(job?.payload.kind).toBe('destroy')
  await host.finish(job!, done('absent'))
  await host.tell()
  await expect(rowOf(page, host.name)).toHaveCount(0)
})

test('a job that failed is tried again, one that hangs is taken over; its log tells what happened to it', async ({
  page,
}) => {
  const { customer, order, host } = await ownHost()
  const restart = () =>
    customer.call('POST', '/server-management/action', { serverId: order.serverId, action: 'restart' })
  await restart()
  await page.goto(`/jobs?server=${order.serverId}&kind=restart`)
  const row = rowOf(page, order.serverName)
  await host.finish((await host.claim())!, failed)
  await expect(row).toContainText('失败')
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '重试' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '确认重试' }).click()
  await expect(note(page, '已重新提交任务')).toBeVisible()

  const hung = await host.claim()
  await expect(row.first()).toContainText('进行中')
  await row.first().getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '接管' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '确认接管' }).click()
  await expect(note(page, '任务已收回并重新派发')).toBeVisible()
  expect(await host.finish(hung!, done('on'))).toEqual({ accepted: false })
  const again = await host.claim()
  expect([again?.id, again?.attempt]).toEqual([hung?.id, 2])
  await host.finish(again!, done('on'))

  await expect(row.first()).toContainText('成功')
  await row.first().getByRole('button', { name: '详情' }).click()
  const log = page.getByRole('group', { name: '日志' })
  for (const line of ['第 1 次尝试：开始', 'admin 接管', '第 2 次尝试：开始', '完成'])
    await expect(log).toContainText(line)
})

test('an order is suspended with a reason that its owner reads', async ({ page, browser }) => {
  const { customer, order } = await owner()
  await page.goto(`/all-orders?q=${order.orderNumber}`)
  await choose(page, order.orderNumber, '暂停')
  const confirm = page.getByRole('alertdialog')
  await confirm.getByLabel('原因').fill('收到滥用投诉')
  await confirm.getByRole('button', { name: '确认暂停' }).click()
  await expect(rowOf(page, order.orderNumber)).toContainText('暂停')
  await rowOf(page, order.orderNumber).getByRole('button', { name: order.orderNumber }).first().click()
  await expect(fact(page, '暂停原因')).toHaveText('管理员暂停：收到滥用投诉')
  const theirs = await browser.newContext()
  await enterAs(theirs, customer)
  const other = await theirs.newPage()
  await other.goto(`/orders?orderId=${order.id}`)
  await expect(other.getByRole('dialog')).toContainText('收到滥用投诉')
  await theirs.close()
})
