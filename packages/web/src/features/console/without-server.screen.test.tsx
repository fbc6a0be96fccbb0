import * as text from '@vps/shared/text'
import { expect, test } from 'vitest'
import { notices, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { answer, expectSoundEverywhere, main, open } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { details, endedJob, id, order } from '../../testing/things'

const button = (name: string) => main().getByRole('button', { name, exact: true })
const unpaid = { serverId: null, server: null, paidAt: null, activatedAt: null, expiresAt: null }
const closed: Script = { ...consoleReads, 'console.details': { refused: 'NOT_FOUND' } }

test.each(['PAID', 'PROCESSING'] as const)(
  'of an order that is %s is no failure: its server is being set up, and can be watched',
  async (status) => {
    await open(consoleAddress, { ...closed, 'orders.get': { data: order({ status, activatedAt: null }) } })
    await expect.element(main().getByText('服务器正在安装')).toBeVisible()
    const way = main().getByRole('link', { name: '查看进度' })
    await expect.element(way).toHaveAttribute('href', `/server-install-progress/${order().serverId}`)
    await expect.element(main().getByText(/加载服务器信息失败/)).not.toBeInTheDocument()
    await expect.element(button('重装系统')).not.toBeInTheDocument()
    await expectSoundEverywhere()
  },
)

test.each([
  [{ status: 'EXPIRED' }, '订单已过期，服务器已释放。'],
  [{ status: 'CANCELLED', cancelReason: '退款申请已批准' }, '订单已取消，服务器已释放。退款申请已批准'],
  [{ status: 'CANCELLED', activatedAt: null, cancelReason: '安装失败' }, '订单已取消。安装失败'],
  [{ ...unpaid, status: 'CANCELLED' }, '订单已取消。'],
] as const)('of an order that has ended says so, and leads to it: %o', async (changes, said) => {
  await open(consoleAddress, { ...closed, 'orders.get': { data: order({ ...changes }) } })
  await expect.element(main().getByText(said, { exact: true })).toBeVisible()
  const way = main().getByRole('link', { name: '查看订单' })
  await expect.element(way).toHaveAttribute('href', expect.stringContaining(order().id))
  await expect.element(main().getByText(/加载服务器信息失败/)).not.toBeInTheDocument()
  await expect.element(button('重装系统')).not.toBeInTheDocument()
  await expectSoundEverywhere()
})

test('that is open as its server is released says that it is', async () => {
  await open(consoleAddress, consoleReads)
  await expect.element(button('重装系统')).toBeVisible()
  await answer({ ...closed, 'orders.get': { data: order({ status: 'EXPIRED' }) } })
  readAgain()
  await expect.element(main().getByText('订单已过期，服务器已释放。')).toBeVisible()
  await expect.element(button('重装系统')).not.toBeInTheDocument()
})

test('of a server whose reinstall failed says that it has no system, until another is under way', async () => {
  const failed = details({ installStatus: 'FAILED', power: 'unknown', status: 'OFFLINE' })
  await open(consoleAddress, { ...consoleReads, 'console.details': { data: failed } })
  await expect.element(main().getByText(text.noSystem)).toBeVisible()
  await expectSoundEverywhere()
  const busy = details({ installStatus: 'INSTALLING', openJob: { id: id(90), kind: 'reinstall' } })
  const told = { 'jobs.get': { data: endedJob('reinstall') } } as const
  await answer({ ...consoleReads, 'console.details': { data: busy }, ...told })
  readAgain()
  // Else the next test hears of it.
  await expect.element(notices.getByText(/完成$/)).toBeVisible()
  await expect.element(main().getByText(text.noSystem)).not.toBeInTheDocument()
})
