import { randomBytes } from 'node:crypto'
import { done, enrolByHand } from '../setup/agent.js'
import { ownHost } from './own-host.js'
import { demoAdmin, enterAs, product } from './people.js'
import { note } from './states.js'
import { expect, test } from './test.js'

test('an operator moves a server to another host; its owner is told meanwhile, and finds it as it was', async ({
  page,
  context,
  browser,
}) => {
  const admin = await demoAdmin()
  const { customer, order, host, serves } = await ownHost()
  const other = await enrolByHand(product, admin, `host-${randomBytes(3).toString('hex')}`, serves)
  const alive = () => Promise.all([host, other].map((one) => one.report()))
  await alive()
  await enterAs(context, admin)
  await page.goto(`/hosts/${host.id}?part=migrations`)
  const row = page.getByRole('row').filter({ hasText: order.serverName! })
  await row.getByRole('button', { name: /^迁移/ }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('目标宿主机').selectOption(other.name)
  await alive()
  await dialog.getByRole('button', { name: '确认迁移' }).click()
  await expect(note(page, /已提交迁移/)).toBeVisible()

  const stop = (await host.claim())!
  expect(stop.payload.kind).toBe('stop')
  await expect(row).toContainText('正在关机')
  const owners = await browser.newContext()
  await enterAs(owners, customer)
  const console = await owners.newPage()
  await console.goto(`/server-manage/${order.id}`)
  const told = console.getByText('服务器正在迁移到另一台宿主机')
  await expect(told).toBeVisible()

  await host.finish(stop, done('off'))
  const save = (await host.claim())!
  const backup = { diskBytes: 1, addedBytes: 1, hostKey: null }
  await expect(row).toContainText('正在保存磁盘')
  await host.finish(save, { ok: true, power: 'off', proven: false, backup })
  const restore = (await other.claim())!
  expect(restore.payload.kind).toBe('restore')
  await expect(row).toContainText('正在恢复')
  await other.finish(restore, done('on'))
  expect((await host.claim())!.payload.kind).toBe('destroy')

  await expect(row).toHaveCount(0)
  await expect(told).toBeHidden()
  await page.goto(`/hosts/${other.id}?part=migrations`)
  await expect(row).toContainText('完成')
  await expect(row).toContainText(host.name)
  expect((await customer.readOrder(order.id)).ipAddress).toBe(order.ipAddress)
  await owners.close()
})
