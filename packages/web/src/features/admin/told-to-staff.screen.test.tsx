/** What an administrator reads before an act on a customer's order and money is what then becomes of it. */
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, field, inQuestion, pressOn, question } from '../../testing/act'
import { anyOrder, job, refund } from '../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, open, visit } from '../../testing/screen'
import { endedJob, pageOf, row } from '../../testing/things'

describe('before an order is suspended', () => {
  test('staff reads until when its data are kept', async () => {
    await open('/all-orders', { 'orders.all': { data: pageOf(anyOrder()) } }, 'admin')
    await choose(`订单 ${row().orderNumber}`, '暂停')
    await expect.element(question.getByText(/服务器关机，数据保留至到期后 72 小时；客户续费也不能恢复/)).toBeVisible()
    await expectSoundEverywhere()
  })
})

test('an order is moved as it was shown, and not when it is another by then', async () => {
  const unpaid = anyOrder({ status: 'PENDING' })
  await open(
    '/all-orders',
    { 'orders.all': { data: pageOf(unpaid) }, 'orders.setStatus': { refused: 'STATE_CHANGED' } },
    'admin',
  )
  await choose(`订单 ${row().orderNumber}`, '取消订单')
  await field('原因').fill('重复下单')
  await inQuestion('确认取消订单').click()
  await expect.element(question.getByText('状态已变化，请刷新后重试')).toBeVisible()
  expect(await callsOf('orders.setStatus')).toMatchObject([{ status: 'CANCELLED', seen: 'PENDING' }])
})

describe('before a refund is decided', () => {
  test.each([
    ['驳回', 'SUSPENDED', /^若因到期而暂停且开启了自动续费，余额足够时会立即续费并恢复。$/],
    ['驳回', 'ACTIVE', /^订单和服务器保持不变。$/],
    ['批准', 'EXPIRED', /退回客户余额。$/],
    ['批准', 'ACTIVE', /；订单取消，服务器和其中的数据被删除，不能恢复。$/],
  ] as const)('%s of an order that is %s says what becomes of it', async (act, orderStatus, words) => {
    await open('/refunds', { 'refunds.list': { data: pageOf({ ...refund, orderStatus }) } }, 'admin')
    await pressOn(`${act} ${refund.orderNumber}`)
    await expect.element(question.getByText(words)).toBeVisible()
  })

  test('another sum than was shown is shown once it was refused, and approved when it was read', async () => {
    const list = (returns: number) => ({ data: pageOf({ ...refund, returns }) })
    const refused = { refused: 'STATE_CHANGED' } as const
    await open(
      '/refunds',
      { 'refunds.list': [list(67.15), list(90)], 'refunds.approve': [refused, { data: null }] },
      'admin',
    )
    await pressOn(`批准 ${refund.orderNumber}`)
    await expect.element(question).toMatchTextContent('¥67.15')
    await field('处理说明').fill('同意')
    await inQuestion('确认批准').click()
    await expect.element(question).toMatchTextContent('¥90.00')
    await inQuestion('确认批准').click()
    await expect.poll(() => callsOf('refunds.approve')).toMatchObject([{ amount: 67.15 }, { amount: 90 }])
  })
})

describe('what is open says what it has come to, though its list has it no more', () => {
  test('a job that ended', async () => {
    await open('/jobs', { 'jobs.list': { data: pageOf(job({ status: 'RUNNING', percentage: 40 })) } }, 'admin')
    await page.getByRole('button', { name: '重启', exact: true }).click()
    await expect.element(page.getByRole('dialog').getByText('进行中 40%')).toBeVisible()
    await answer({ 'jobs.list': { data: pageOf() }, 'jobs.get': { data: { ...endedJob('restart'), id: job().id } } })
    visit('/jobs?status=RUNNING')
    await expect.element(page.getByRole('dialog').getByText('成功', { exact: true })).toBeVisible()
  })

  test('an order that was cancelled', async () => {
    await open('/all-orders', { 'orders.all': { data: pageOf(anyOrder({ status: 'PENDING' })) } }, 'admin')
    await page.getByRole('button', { name: '查看详情' }).click()
    await expect.element(page.getByRole('dialog').getByText('待付款', { exact: true })).toBeVisible()
    await answer({ 'orders.all': { data: pageOf(anyOrder({ status: 'CANCELLED' })) } })
    visit('/all-orders?status=PENDING')
    await expect.element(page.getByRole('dialog').getByText('已取消', { exact: true })).toBeVisible()
  })
})
