import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { inQuestion, pressOn, question } from '../../../testing/act'
import { host, hostAddress, hostReads, lostOrder } from '../../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, main, open } from '../../../testing/screen'
import type { Script } from '../../../testing/script'
import { id } from '../../../testing/things'

const suspended = lostOrder(3, { status: 'SUSPENDED', stays: '订单未处于活跃状态，不能操作服务器' })
const orders = [lostOrder(1), lostOrder(2), suspended]
const reads: Script = {
  ...hostReads,
  'hosts.get': { data: { ...host, status: 'LOST' } },
  'lostOrders.list': { data: orders },
}
const rowOf = (name: string) => question.getByRole('listitem').filter({ hasText: name })
const noRoom = { refused: 'NO_STOCK', message: '没有其他宿主机有足够的资源、地址和该系统的镜像' } as const

test('a lost host lists what waits, with what a refund gives back and why one cannot be rebuilt', async () => {
  await open(hostAddress, reads, 'admin')
  const table = main().getByRole('table', { name: '等待处理的订单' })
  await expect.element(table).toMatchTextContent('香港-1')
  await expect.element(table).toMatchTextContent('¥30.00')
  await expect.element(table.getByRole('link', { name: 'demo' }).first()).toHaveAttribute('href', `/users/${id(2)}`)
  await expect.element(main().getByRole('button', { name: '重建 香港-3' })).toHaveAttribute('aria-disabled', 'true')
  await expectSoundEverywhere()
})

test('a living host asks for none, and a lost one with none left shows nothing of it', async () => {
  await open(hostAddress, hostReads, 'admin')
  await expect.element(main().getByText('负载', { exact: true })).toBeVisible()
  expect(await callsOf('lostOrders.list')).toEqual([])
  await answer({ ...reads, 'lostOrders.list': { data: [] } })
  await pressOn('刷新')
  await expect.poll(() => callsOf('lostOrders.list')).toHaveLength(1)
  await expect.element(main().getByText('等待处理的订单')).not.toBeInTheDocument()
})

test('all are rebuilt one after another, each under a key of its own; what has no room is told and stays', async () => {
  const jobId = id(900)
  await open(hostAddress, { ...reads, 'lostOrders.evacuate': [{ data: { jobId } }, noRoom] }, 'admin')
  await pressOn('全部重建')
  await expect.element(question).toMatchTextContent('会有两台机器使用同一地址')
  await expect.element(question).toMatchTextContent('宿主机失去联系之后的费用按时间退回客户余额')
  await expect.element(rowOf('香港-1')).toMatchTextContent('有 1 个备份可恢复')
  await expect.element(rowOf('香港-1')).not.toMatchTextContent('约退')
  await expect.element(rowOf('香港-2')).toMatchTextContent('约退 ¥1.00，没有备份')
  await expect.element(rowOf('香港-3')).toMatchTextContent('跳过')
  await expectSoundEverywhere()
  await inQuestion('确认重建').click()
  await expect.element(rowOf('香港-1')).toMatchTextContent('已开始重建')
  await expect.element(rowOf('香港-2')).toMatchTextContent(noRoom.message)
  await expect.element(question).toMatchTextContent('1 台成功，1 台未完成')
  const sent = (await callsOf('lostOrders.evacuate')) as { id: string; idempotencyKey: string }[]
  expect(sent.map((call) => call.id)).toEqual([orders[0]!.id, orders[1]!.id])
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
})

test('all are paid back for the sums that were shown, suspended ones, too', async () => {
  await open(hostAddress, { ...reads, 'lostOrders.refund': { data: null } }, 'admin')
  await pressOn('全部退款')
  await expect.element(question).toMatchTextContent('3 台合计¥60.00')
  await expectSoundEverywhere()
  await answer({ ...reads, 'lostOrders.refund': { data: null }, 'lostOrders.list': { data: [] } })
  await inQuestion('确认退款').click()
  await expect.element(question).toMatchTextContent('3 台成功。')
  await expect.element(rowOf('香港-2')).toMatchTextContent('已退 ¥20.00')
  expect(await callsOf('lostOrders.refund')).toMatchObject(
    orders.map(({ id: order, refund }) => ({ id: order, amount: refund })),
  )
  await inQuestion('关闭').last().click()
  await expect.element(page.getByText('等待处理的订单')).not.toBeInTheDocument()
})

test('another sum than was shown is shown once it was refused, and paid back when it was read', async () => {
  const list = (refund: number) => ({ data: [lostOrder(1, { refund })] })
  const refused = { refused: 'STATE_CHANGED' } as const
  const script = { 'lostOrders.list': [list(30), list(12.5)], 'lostOrders.refund': [refused, { data: null }] } as const
  await open(hostAddress, { ...reads, ...script }, 'admin')
  await pressOn('退款 香港-1')
  await inQuestion('确认退款').click()
  await expect.element(rowOf('香港-1')).toMatchTextContent('状态已变化')
  await expect.element(question).toMatchTextContent('1 台合计¥12.50')
  await inQuestion('重试剩余 1 台').click()
  await expect.element(rowOf('香港-1')).toMatchTextContent('已退 ¥12.50')
  expect(await callsOf('lostOrders.refund')).toMatchObject([{ amount: 30 }, { amount: 12.5 }])
})

test('what could not be read is said, and read again', async () => {
  await open(hostAddress, { ...reads, 'lostOrders.list': { refused: 'INTERNAL' } }, 'admin')
  await expect.element(main().getByText('加载订单失败')).toBeVisible()
  await answer(reads)
  await pressOn('重试')
  await expect.element(main().getByRole('table', { name: '等待处理的订单' })).toMatchTextContent('香港-1')
})
