import type { RenewalView } from '@vps/shared/orders.contract'
import * as text from '@vps/shared/text'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { inQuestion, question } from '../../testing/act'
import { chooseAll } from '../../testing/customers-acts'
import { answer, callsOf, expectSound, expectSoundEverywhere, open } from '../../testing/screen'
import type { Reply, Script } from '../../testing/script'
import { id, inDays, order, row } from '../../testing/things'
import { dateText } from '../../ui/Time'

const names = ['网站', '数据库', '旧站']
const servers = names.map((serverName, n) => row({ id: id(200 + n), serverId: id(300 + n), serverName }))
const suspended = row({ id: id(210), serverName: '停用', status: 'SUSPENDED', suspendReason: 'admin' })
const balance = (yuan: number): Reply<{ balance: number; updatedAt: string }> => ({
  data: { balance: yuan, updatedAt: inDays(0) },
})
const reads: Script = {
  'orders.list': { data: [...servers, suspended] },
  'orders.renewal': { data: { amount: 50, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' } },
  'wallet.get': balance(1000),
}
const rowOf = (name: string) => question.getByRole('listitem').filter({ hasText: name })

describe('renewing several', () => {
  test('says the sum, and of each what it costs, and why one is left out', async () => {
    await open('/dashboard', reads)
    await chooseAll('续费')
    await expect.element(question).toMatchTextContent('3 台合计¥150.00')
    await expect.element(rowOf('网站')).toMatchTextContent('¥50.00，续至')
    await expect.element(rowOf('停用')).toMatchTextContent('跳过')
    await expectSoundEverywhere()
  })

  test('leaves out one on a lost host: it is in no sum, and asked for nothing', async () => {
    const [first, ...others] = servers
    const { server } = row()
    const lost = row({ ...first, server: server && { ...server, hostLost: true } })
    await open('/dashboard', { ...reads, 'orders.list': { data: [lost, ...others] }, 'wallet.get': balance(100) })
    await chooseAll('续费')
    await expect.element(question).toMatchTextContent('2 台合计¥100.00')
    await expect.element(rowOf('网站')).toMatchTextContent(text.onLostHost)
    await expect.element(inQuestion('确认续费')).toBeEnabled()
    expect(await callsOf('orders.renewal')).toHaveLength(2)
  })

  test('one after another for what was shown, each under a key of its own, says what became of each', async () => {
    await open('/dashboard', {
      ...reads,
      'orders.renew': [{ data: order() }, { refused: 'PRICE_CHANGED' }, { data: order() }],
    })
    await chooseAll('续费')
    await inQuestion('确认续费').click()
    await expect.element(question).toMatchTextContent('2 台成功，1 台未完成')
    await expect.element(rowOf('网站')).toMatchTextContent('已扣 ¥50.00')
    await expect.element(rowOf('数据库')).toMatchTextContent('价格已变更')
    const sent = (await callsOf('orders.renew')) as { id: string; amount: number; idempotencyKey: string }[]
    expect(sent.map(({ id, amount }) => [id, amount])).toEqual(servers.map(({ id }) => [id, 50]))
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3)
    await expectSound()
    // Only what is left stays chosen.
    await answer({ ...reads, 'orders.renew': { data: order() } })
    await inQuestion('重试剩余 1 台').click()
    await expect.element(question).toMatchTextContent('3 台成功。')
    expect(await callsOf('orders.renew')).toHaveLength(1)
    // What was pressed is gone with the last.
    await expect.poll(() => question.element().contains(document.activeElement)).toBe(true)
  })

  test('whose answer is lost waits for it: nothing more is sent, and closing leaves the rest unsent', async () => {
    await open('/dashboard', { ...reads, 'orders.renew': 'no answer' })
    await chooseAll('续费')
    await inQuestion('确认续费').click()
    await expect.poll(() => callsOf('orders.renew')).toHaveLength(1)
    await inQuestion('关闭').last().click()
    await expect.element(question).not.toBeInTheDocument()
    await answer({ ...reads, 'orders.renew': 'lost' })
    await expect.element(page.getByRole('region', { name: '已选的服务器' })).toMatchTextContent('已选 4 台')
    expect(await callsOf('orders.renew')).toEqual([])
  })

  test('where one costs something else by now, that is shown before it is tried again, and tried for that', async () => {
    const renewal = (amount: number): Reply<RenewalView> => ({
      data: { amount, endsAt: inDays(10), expiresAt: inDays(40), period: 'MONTHLY' },
    })
    const refused = { refused: 'PRICE_CHANGED' } as const
    await open('/dashboard', {
      ...reads,
      'orders.renewal': [renewal(50), renewal(50), renewal(50), renewal(60)],
      'orders.renew': [{ data: order() }, refused, { data: order() }],
    })
    await chooseAll('续费')
    await inQuestion('确认续费').click()
    await expect.element(rowOf('数据库')).toMatchTextContent('¥60.00，续至')
    await expect.element(rowOf('网站')).toMatchTextContent('已扣 ¥50.00')
    await inQuestion('重试剩余 1 台').click()
    await expect.element(question).toMatchTextContent('3 台成功。')
    const [, other] = servers
    const sent = await callsOf('orders.renew')
    expect(sent.at(-1)).toMatchObject({ id: other?.id, amount: 60 })
  })

  test('where one was renewed elsewhere meanwhile, its new end is shown before it is tried again, and tried from there', async () => {
    const renewal = (days: number): Reply<RenewalView> => ({
      data: { amount: 50, endsAt: inDays(days), expiresAt: inDays(days + 30), period: 'MONTHLY' },
    })
    const [first, later] = [renewal(10), renewal(40)]
    // Midnight may come while they are renewed.
    const [newEnd, tried] = [dateText(inDays(70)), [10, 10, 10, 40].map((days) => dateText(inDays(days)))]
    await open('/dashboard', {
      ...reads,
      'orders.renewal': [first, first, first, later],
      'orders.renew': [{ data: order() }, { refused: 'STATE_CHANGED' }, { data: order() }],
    })
    await chooseAll('续费')
    await inQuestion('确认续费').click()
    await expect.element(rowOf('数据库')).toMatchTextContent(newEnd)
    await inQuestion('重试剩余 1 台').click()
    await expect.element(question).toMatchTextContent('3 台成功。')
    const ends = (await callsOf('orders.renew')) as { endsAt: string }[]
    expect(ends.map(({ endsAt }) => dateText(endsAt))).toEqual(tried)
  })

  test('whose answer was lost goes first when asked again, under its key, also where one before it was refused', async () => {
    const refused = { refused: 'PRICE_CHANGED' } as const
    await open('/dashboard', { ...reads, 'orders.renew': [refused, 'no answer'] })
    await chooseAll('续费')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await inQuestion('确认续费').click()
    await expect.poll(() => callsOf('orders.renew')).toHaveLength(2)
    const [, lost] = await callsOf('orders.renew')
    // As long as an answer is waited for.
    await vi.advanceTimersByTimeAsync(30_000)
    await expect.element(inQuestion('重试剩余 3 台')).toBeVisible()
    await answer({ ...reads, 'orders.renew': [{ data: order() }, refused, { data: order() }] })
    await inQuestion('重试剩余 3 台').click()
    await expect.element(question).toMatchTextContent('2 台成功，1 台未完成')
    const [one, other, third] = servers
    expect(await callsOf('orders.renew')).toEqual([
      lost,
      expect.objectContaining({ id: one?.id }),
      expect.objectContaining({ id: third?.id }),
    ])
    expect(lost).toMatchObject({ id: other?.id })
  })

  test('is off while the balance is less than the sum, and leads to recharging what is missing', async () => {
    await open('/dashboard', { ...reads, 'wallet.get': balance(100) })
    await chooseAll('续费')
    await expect.element(question.getByText(/余额不足，请先充值（还差 ¥/)).toBeVisible()
    await expect
      .element(question.getByRole('link', { name: '前往充值' }))
      .toHaveAttribute('href', '/recharge?amount=50.00')
    await expect.element(inQuestion('确认续费')).toBeDisabled()
  })

  test('is off while a price is not known, and says why it is not', async () => {
    await open('/dashboard', { ...reads, 'orders.renewal': { refused: 'STATE_CHANGED', message: '该套餐已停售' } })
    await chooseAll('续费')
    await expect.element(question.getByText('该套餐已停售')).toBeVisible()
    await expect.element(inQuestion('确认续费')).toBeDisabled()
  })
})

test('auto-renewal is switched where it is not so already', async () => {
  const off = row({ id: id(220), serverName: '早已关闭', autoRenewal: false })
  await open('/dashboard', {
    ...reads,
    'orders.list': { data: [off, row()] },
    'orders.setAutoRenewal': { data: order() },
  })
  await chooseAll('关闭自动续费')
  await expect.element(rowOf('早已关闭')).toMatchTextContent('自动续费已关闭跳过')
  await inQuestion('确认关闭').click()
  await expect.element(question).toMatchTextContent('1 台成功。')
  expect(await callsOf('orders.setAutoRenewal')).toEqual([{ id: row().id, autoRenewal: false }])
})

test('a row shows how busy its machine was in the last hour, in words too', async () => {
  await open('/dashboard', {
    'orders.list': { data: [row()] },
    'console.recentCpu': { data: [{ serverId: row().serverId ?? '', values: [null, 10, 64, 23] }] },
  })
  await expect.element(page.getByRole('img', { name: 'CPU 23%，近一小时最高 64%' })).toBeVisible()
  expect(await callsOf('console.recentCpu')).toEqual([{ ids: [row().serverId] }])
  await expectSoundEverywhere()
})
