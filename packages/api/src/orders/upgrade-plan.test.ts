import { fen } from '@vps/shared/money'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { person } from '../testing/people.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import type { OrderRow } from './lock-order.js'
import { planUpgrade } from './upgrade-order.js'

let sale: Sale
let id: string
let order: OrderRow
let start: number
beforeEach(async () => {
  sale = await openSale({ yuan: 200 })
  id = await sale.buyActive({ billingPeriod: 'DAILY' })
  order = await sale.orderRow(id)
  start = order.activated_at!.getTime()
})
afterEach(() => sale.app.close())

const day = 86_400_000
const planAt = (input: object, after: number, row = order) =>
  planUpgrade(sale.app.db, row, { id, ...input }, new Date(start + after))
async function addPriceGroup(more: object = {}): Promise<string> {
  const priceGroup = await sale.app.db
    .selectFrom('price_groups')
    .selectAll()
    .where('id', '=', sale.shop.priceGroupId)
    .executeTakeFirstOrThrow()
  const copy = { ...priceGroup, id: uuidv7(), name: `另一个 ${uuidv7()}`, ...more }
  await sale.app.db.insertInto('price_groups').values(copy).execute()
  return copy.id
}

describe('an upgrade costs the difference for the time that is left', () => {
  // Four more cores are ¥40 a month: 133 fen a day.
  test.each([
    ['from the first moment', 0, 133, 86_400],
    ['a second later', 1000, 133, 86_399],
    ['half a day later', day / 2, 67, 43_200],
    ['a third before the end', (day / 3) * 2, 44, 28_800],
    ['in the last second', day - 1, 0, 1],
  ])('%s', async (_, after, amount, remainingSeconds) => {
    expect(await planAt({ cpuCores: 6 }, after)).toMatchObject({
      amount,
      remainingSeconds,
      periodBefore: 100,
      periodAfter: 233,
    })
  })

  test('each of the resources at its own rate, a started 10 GB of storage as a whole', async () => {
    const costs = async (input: object) => (await planAt(input, 0)).amount
    expect(await costs({ memoryGb: 5 })).toBe(17)
    expect([await costs({ storageGb: 41 }), await costs({ storageGb: 50 }), await costs({ storageGb: 51 })]).toEqual([
      7, 7, 13,
    ])
    await sale.app.db
      .updateTable('price_groups')
      .set({ bandwidth_rate_fen: fen(30) })
      .execute()
    expect(await costs({ bandwidthMbps: 110 })).toBe(10)
  })

  test('today’s prices count on both sides: what became dearer is no reason to pay the old', async () => {
    await sale.app.db
      .updateTable('price_groups')
      .set({ daily_fen: fen(900), cpu_rate_fen: fen(3000) })
      .execute()
    expect(await planAt({ cpuCores: 3 }, 0)).toMatchObject({ amount: 100, periodBefore: 900, periodAfter: 1000 })
  })

  test('another price group that includes more may cost less: then nothing, and never something back', async () => {
    const cheap = await addPriceGroup({ daily_fen: fen(50) })
    expect(await planAt({ priceGroupId: cheap, cpuCores: 3 }, 0)).toMatchObject({
      amount: 0,
      periodBefore: 100,
      periodAfter: 83,
    })
    const dear = await addPriceGroup({ daily_fen: fen(500) })
    expect(await planAt({ priceGroupId: dear, memoryGb: 5 }, 0)).toMatchObject({
      amount: 417,
      spec: { memoryGb: 5, cpuCores: 2 },
    })
  })

  test('counts all that is paid, renewals in advance too: none of them is large for the price of the small', async () => {
    await sale.lin.post(`/orders/${id}/renew`)
    const renewed = await sale.orderRow(id)
    expect(await planAt({ cpuCores: 6 }, day / 2, renewed)).toMatchObject({ amount: 200, remainingSeconds: 129_600 })
    expect(await planAt({ cpuCores: 6 }, day + 1000, renewed)).toMatchObject({ amount: 133, remainingSeconds: 86_399 })
  })
})

describe('a plan of a fixed size', () => {
  const has = { cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
  const documentOf = (cpu_cores: number) =>
    JSON.stringify({ cpu_cores, memory: 4, disk_space: 40, network_speed: 100, ip_count: 1, operating_system: [] })
  const upgrade = (input: object) => sale.lin.post(`/orders/${id}/upgrade`, input)

  test.each([1, 4])(
    'sells backups beside the machine that was bought, which stays as it is although the plan has %i cores by now',
    async (cores) => {
      const repository = { url: '/srv/backups', password: 'Keeps-them-1', version: 0 }
      expect((await sale.admin.put('/backup-repository', repository)).status).toBe(200)
      await sale.app.db
        .updateTable('price_groups')
        .set({ sales_page_html: documentOf(cores), most_backups: 5, backup_rate_fen: fen(300) })
        .execute()
      expect((await upgrade({ ...has, cpuCores: 4, backups: 2 })).body).toMatchObject({
        code: 'INVALID_INPUT',
        message: '该套餐的配置不可更改',
      })
      expect((await upgrade({ ...has, backups: 2 })).body.data).toEqual({ jobId: null })
      expect(await sale.orderRow(id)).toMatchObject({ cpu_cores: 2, backups: 2 })
      expect((await upgrade({})).body.message).toBe('请选择更高的配置')
    },
  )

  test('is moved to as it was shown: where it became another meanwhile, that is refused and nothing is charged', async () => {
    const priceGroupId = await addPriceGroup({ sales_page_html: documentOf(8) })
    const shown = { ...has, cpuCores: 8, priceGroupId }
    await sale.app.db
      .updateTable('price_groups')
      .set({ sales_page_html: documentOf(6) })
      .where('id', '=', priceGroupId)
      .execute()
    const before = await everyRow(sale.app)
    expect((await upgrade(shown)).body).toMatchObject({
      code: 'INVALID_INPUT',
      message: '该套餐的配置不可更改',
      errors: { cpuCores: '该套餐固定为 6' },
    })
    expect(await everyRow(sale.app)).toBe(before)
    expect((await upgrade({ ...shown, cpuCores: 6 })).status).toBe(200)
  })
})

describe('an upgrade is refused', () => {
  const send = (change: object, who = sale.lin) => who.post(`/orders/${id}/upgrade`, change)

  test('for less of anything, for nothing more and for what cannot be, with the field that is wrong', async () => {
    const before = await everyRow(sale.app)
    for (const [change, errors, message] of [
      [{ cpuCores: 1 }, { cpuCores: '不能低于当前的 2' }, '升级只能增加配置'],
      [
        { cpuCores: 4, memoryGb: 3, storageGb: 39 },
        { memoryGb: '不能低于当前的 4', storageGb: '不能低于当前的 40' },
        '升级只能增加配置',
      ],
      [{ bandwidthMbps: 99 }, { bandwidthMbps: '不能低于当前的 100' }, '升级只能增加配置'],
      [{}, undefined, '请选择更高的配置'],
      [{ cpuCores: 2, memoryGb: 4, storageGb: 40, bandwidthMbps: 100 }, undefined, '请选择更高的配置'],
    ] as const) {
      const { status, body } = await send(change)
      expect([status, body.code, body.errors, body.message]).toEqual([400, 'INVALID_INPUT', errors, message])
    }
    for (const change of [{ cpuCores: 2.5 }, { memoryGb: 1e9 }, { storageGb: '60' }])
      expect((await send(change)).status, JSON.stringify(change)).toBe(400)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('of an order whose time is over and that no timer has ended yet: it would cost nothing, and keep the server meanwhile', async () => {
    await sale.toEnd(id)
    const before = await everyRow(sale.app)
    for (const reply of [
      await send({ cpuCores: 6 }),
      await sale.lin.post(`/orders/${id}/upgrade-quote`, { cpuCores: 6 }),
    ])
      expect([reply.status, reply.body.message]).toEqual([409, '订单已到期，请续费后恢复'])
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('to a price group of another place, one that is not on sale, or one that does not sell the period', async () => {
    const otherGroup = uuidv7()
    const { id: _, ...group } = await sale.app.db.selectFrom('server_groups').selectAll().executeTakeFirstOrThrow()
    await sale.app.db
      .insertInto('server_groups')
      .values({ ...group, id: otherGroup, name: '东京' })
      .execute()
    const elsewhere = await addPriceGroup({ server_group_id: otherGroup })
    const withoutDays = await addPriceGroup({ daily_fen: fen(0) })
    const before = await everyRow(sale.app)
    for (const [priceGroupId, code] of [
      [elsewhere, 'UNKNOWN_PRICE_GROUP'],
      [uuidv7(), 'UNKNOWN_PRICE_GROUP'],
      [withoutDays, 'PERIOD_NOT_SOLD'],
    ] as const)
      expect((await send({ priceGroupId, cpuCores: 4 })).body.code).toBe(code)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('within a plan that was taken off sale; to another that is sold it goes, from what it costs today', async () => {
    const sold = await addPriceGroup()
    await sale.app.db
      .updateTable('price_groups')
      .set({ is_active: false })
      .where('id', '=', order.price_group_id)
      .execute()
    expect((await send({ cpuCores: 6 })).body).toMatchObject({
      code: 'UNKNOWN_PRICE_GROUP',
      message: '价格组不存在或已下架',
    })
    const { amount, periodBefore, periodAfter } = await planAt({ priceGroupId: sold, cpuCores: 6 }, 0)
    expect([amount, periodBefore, periodAfter]).toEqual([133, 100, 233])
    expect((await send({ priceGroupId: sold, cpuCores: 6 })).status).toBe(200)
  })

  test('while another act is open, for want of money or room, and to strangers; nothing is charged', async () => {
    const serverId = await sale.serverOf(id)
    const chen = await person(sale.app, 'chen', { yuan: 500 })
    await sale.app.db
      .updateTable('price_groups')
      .set({ cpu_rate_fen: fen(1_000_000) })
      .execute()
    expect((await send({ cpuCores: 4 })).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await sale.app.db
      .updateTable('price_groups')
      .set({ cpu_rate_fen: fen(1000) })
      .execute()
    await sale.app.db
      .updateTable('hosts')
      .set({ memory_mb: 6 * 1024, reserved_memory_mb: 1024 })
      .execute()
    expect((await send({ memoryGb: 6 })).body.code).toBe('NO_STOCK')
    expect((await sale.lin.post(`/orders/${id}/upgrade-quote`, { memoryGb: 6 })).body.data.available).toBe(false)
    expect((await sale.lin.post(`/orders/${id}/upgrade-quote`, { memoryGb: 5 })).body.data.available).toBe(true)
    expect([(await send({ cpuCores: 4 }, chen)).status, (await send({ cpuCores: 4 }, sale.admin)).status]).toEqual([
      404, 404,
    ])
    await sale.lin.post('/server-management/action', { serverId, action: 'restart' })
    const before = await everyRow(sale.app)
    expect((await send({ cpuCores: 4 })).body).toMatchObject({
      code: 'LOCKED',
      message: '服务器正在执行其他操作，请稍后再试',
    })
    expect(await everyRow(sale.app)).toBe(before)
    expect(await sale.lin.balance()).toBe(199)
  })
})

test('one key sent five times at once upgrades once, and every answer names the same job', async () => {
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => sale.lin.post(`/orders/${id}/upgrade`, { memoryGb: 8 }, { key: 'k' })),
  )
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.data?.jobId}`)).size).toBe(1)
  expect(await sale.app.db.selectFrom('order_upgrades').select(['job_id', 'status']).execute()).toEqual([
    { job_id: replies[0]!.body.data.jobId, status: 'PENDING' },
  ])
})
