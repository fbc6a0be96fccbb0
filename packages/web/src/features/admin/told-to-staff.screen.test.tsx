/** What an administrator reads before an act on a customer's order and money is what then becomes of it. */
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, field, inQuestion, notices, pressOn, question, readAgain } from '../../testing/act'
import { consoleAddress, consoleReads } from '../../testing/customers-acts'
import { anyOrder, finding, findingsReads, host, hostReads, job, refund, user } from '../../testing/operators-things'
import { answer, callsOf, expectSoundEverywhere, open, visit } from '../../testing/screen'
import type { Script } from '../../testing/script'
import { endedJob, id, inDays, order, pageOf, row } from '../../testing/things'

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

test('an order that was paid while its cancelling was asked for is cancelled once staff have read what goes back', async () => {
  const unpaid = anyOrder({ status: 'PENDING' })
  const paid = { ...unpaid, status: 'PAID' } as const
  await open('/all-orders', { 'orders.all': { data: pageOf(unpaid) } }, 'admin')
  await choose(`订单 ${row().orderNumber}`, '取消订单')
  await field('原因').fill('重复下单')
  await answer({
    'orders.all': { data: pageOf(paid) },
    'orders.setStatus': [{ refused: 'STATE_CHANGED' }, { data: paid }],
  })
  await inQuestion('确认取消订单').click()
  await expect.element(question.getByText('订单已变为“已付款”，请核对')).toBeVisible()
  await expect.element(question.getByText('¥67.15')).toBeVisible()
  await expect.element(field('原因')).toHaveValue('重复下单')
  await expectSoundEverywhere()
  await inQuestion('确认取消订单').click()
  await expect.element(notices.getByText('取消订单成功')).toBeVisible()
  expect((await callsOf('orders.setStatus')).at(-1)).toMatchObject({ seen: 'PAID', reason: '重复下单' })
})

test('an order that can be cancelled no more says so where it was asked for', async () => {
  const paid = anyOrder({ status: 'PAID' })
  await open('/all-orders', { 'orders.all': { data: pageOf(paid) } }, 'admin')
  await choose(`订单 ${row().orderNumber}`, '取消订单')
  await field('原因').fill('重复下单')
  await answer({
    'orders.all': { data: pageOf({ ...paid, status: 'PROCESSING' }) },
    'orders.setStatus': { refused: 'STATE_CHANGED' },
  })
  await inQuestion('确认取消订单').click()
  await expect.element(question.getByText('仅限待付款、已付款的订单可以取消订单。')).toBeVisible()
  await expect.element(inQuestion('确认取消订单')).toBeDisabled()
  await expectSoundEverywhere()
})

describe('before staff renew for a customer', () => {
  const of = anyOrder({ status: 'SUSPENDED', suspendReason: 'unpaid' })
  const renewal = { amount: 67.15, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } as const
  const reads: Script = {
    'orders.all': { data: pageOf(of) },
    'orders.renewal': { data: renewal },
    'users.get': { data: { ...user, balance: 100 } },
  }

  test('they read what it costs and what the customer has, and pay no other price', async () => {
    await open('/all-orders', reads, 'admin')
    await choose(`订单 ${of.orderNumber}`, '续费')
    await expect.element(question.getByText('¥67.15')).toBeVisible()
    await expect.element(question.getByText(/^客户余额/)).toBeVisible()
    await expect.element(question.getByText('¥100.00')).toBeVisible()
    await expectSoundEverywhere()
    await answer({ ...reads, 'orders.renew': { data: of } })
    await inQuestion('确认续费').click()
    await expect.element(notices.getByText('续费成功')).toBeVisible()
    expect(await callsOf('orders.renew')).toMatchObject([{ id: of.id, amount: 67.15, endsAt: renewal.endsAt }])
    expect(await callsOf('wallet.get')).toEqual([])
  })

  test('they read that the customer has too little, and are sent to no recharge of their own', async () => {
    await open('/all-orders', { ...reads, 'users.get': { data: { ...user, balance: 7 } } }, 'admin')
    await choose(`订单 ${of.orderNumber}`, '续费')
    await expect.element(question.getByText('客户余额不足，无法续费。')).toBeVisible()
    await expect.element(inQuestion('确认续费')).toBeDisabled()
    await expect.element(question.getByRole('link')).not.toBeInTheDocument()
  })

  test('a customer’s console offers it with the customer’s money, and leads to the order among all', async () => {
    const suspended = { ...order({ status: 'SUSPENDED', suspendReason: 'unpaid' }), userId: user.id }
    const beside: Script = { ...consoleReads, ...reads, 'orders.get': { data: suspended } }
    await open(consoleAddress, beside, 'admin')
    await pressOn('续费')
    await expect.element(question.getByText('¥100.00')).toBeVisible()
    await inQuestion('取消').click()
    await answer({ ...beside, 'orders.get': { data: { ...suspended, suspendReason: 'admin' } } })
    readAgain()
    await expect
      .element(page.getByRole('link', { name: '查看订单' }))
      .toHaveAttribute('href', `/all-orders?q=${suspended.orderNumber}`)
  })
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

  test('a job that an agent began is said to be asked to stop, not to be cancelled', async () => {
    const waiting = job({ status: 'QUEUED' })
    const seen = { ...endedJob('restart'), id: waiting.id, status: 'QUEUED', finishedAt: null } as const
    const reads: Script = { 'jobs.list': { data: pageOf(waiting) } }
    await open('/jobs', { ...reads, 'jobs.get': { data: seen } }, 'admin')
    await choose(`任务 重启 ${waiting.serverName}`, '取消任务')
    await expect.element(question.getByText(/将不再执行。$/)).toBeVisible()
    await answer({ ...reads, 'jobs.get': { data: { ...seen, status: 'RUNNING' } }, 'jobs.cancel': { data: null } })
    await inQuestion('确认取消任务').click()
    await expect.element(notices.getByText('已请求中止任务')).toBeVisible()
  })

  test('a job that gave way to a later one as it was taken over is said to be replaced, not to be handed out anew', async () => {
    const running = job({ status: 'RUNNING' })
    const reads: Script = { 'jobs.list': { data: pageOf(running) } }
    await open('/jobs', reads, 'admin')
    await choose(`任务 重启 ${running.serverName}`, '接管')
    await expect.element(inQuestion('确认接管')).toBeEnabled()
    const replaced = { ...endedJob('restart'), id: running.id, status: 'SUPERSEDED' } as const
    await answer({ ...reads, 'jobs.get': { data: replaced }, 'jobs.adopt': { data: null } })
    await inQuestion('确认接管').click()
    await expect.element(notices.getByText('任务已被取代')).toBeVisible()
  })

  test('a finding that is resolved, whose act is offered no more: a machine that answers again keeps its power', async () => {
    const hung = findingsReads({ kind: 'hung-domain', serverId: id(3), serverName: '网站', orderId: id(11) })
    await open('/findings', hung, 'admin')
    await pressOn(/^处理 /)
    await page.getByRole('dialog').getByRole('button', { name: '强制关机' }).click()
    await expect.element(inQuestion('确认强制关机')).toBeEnabled()
    const gone = { ...finding({ kind: 'hung-domain', serverId: id(3), serverName: '网站' }), resolvedAt: inDays(0) }
    await answer({ ...hung, 'findings.list': { data: pageOf() }, 'findings.get': { data: gone } })
    visit('/findings?from=2026-01-01')
    await expect.element(question.getByText(/^这个发现项已处理/)).toBeVisible()
    await expect.element(inQuestion('确认强制关机')).toBeDisabled()
    await expectSoundEverywhere()
  })

  test('a host whose first answer is older than what an act was refused for is read anew after it', async () => {
    const reads: Script = { ...hostReads, 'hosts.list': { data: pageOf(host) } }
    await open('/hosts', { ...reads, 'hosts.get': 'no answer', 'hosts.move': { refused: 'STATE_CHANGED' } }, 'admin')
    await choose(host.name, '排空')
    await expect.poll(() => callsOf('hosts.get')).toHaveLength(1)
    await inQuestion('确认排空').click()
    await expect.poll(async () => (await callsOf('operations.waiting')).length).toBe(2)
    const theirs = { ...host, status: 'MAINTENANCE' } as const
    // The one on its way, and what is asked after the act.
    await answer({ ...reads, 'hosts.get': [{ data: host }, { data: theirs }] })
    await expect.element(question.getByText(/^当前状态为维护中/)).toBeVisible()
  })

  test('a host that another has put into maintenance, and that got a server, is not moved as it was seen', async () => {
    const reads: Script = { ...hostReads, 'hosts.list': { data: pageOf(host) } }
    await open('/hosts', reads, 'admin')
    await choose(host.name, '排空')
    await expect.element(question.getByText(/^当前状态为可用/)).toBeVisible()
    const theirs = { ...host, status: 'MAINTENANCE', servers: host.servers + 1 } as const
    await answer({
      ...reads,
      'hosts.get': { data: theirs },
      'hosts.move': [{ refused: 'STATE_CHANGED' }, { data: null }],
    })
    await inQuestion('确认排空').click()
    await expect.element(question.getByText(`当前状态为维护中，其上现有 ${theirs.servers} 台服务器`)).toBeVisible()
    await inQuestion('确认排空').click()
    await expect.element(notices.getByText(`已排空：${host.name}`)).toBeVisible()
    expect(await callsOf('hosts.move')).toMatchObject([{ seen: 'READY' }, { seen: 'MAINTENANCE' }])
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
