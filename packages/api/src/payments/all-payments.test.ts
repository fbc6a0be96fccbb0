import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SandboxGateway } from '../../../demo/src/gateway/server.js'
import type { TestApp } from '../testing/app.js'
import { openWithGateway } from '../testing/gateway.js'
import { epayGateway } from './epay/client.js'
import { person, type Person } from '../testing/people.js'

let gateway: SandboxGateway
let app: TestApp
let lin: Person
let chen: Person
let admin: Person
beforeEach(async () => {
  ;({ gateway, app, lin } = await openWithGateway())
  gateway.faults.notify = 'drop'
  chen = await person(app, 'chen')
  admin = await person(app, 'boss', { admin: true })
})
afterEach(async () => {
  await app.close()
  await gateway.stop()
})

async function recharge(who: Person, money: number, type = 'alipay'): Promise<string> {
  app.advance(1000)
  return (await who.post('/payment/create', { money, type })).body.outTradeNo
}
const list = async (query: string) => (await admin.get(`/payment/all?${query}`)).body.data
const amounts = async (query: string) => (await list(query)).content.map(({ money }: { money: number }) => money)
const check = async (outTradeNo: string) => (await admin.post(`/payment/order/${outTradeNo}/check`)).body

describe('everybody’s payments', () => {
  test('are found by the customer’s name or address, by number here and at the gateway, by state, method and day', async () => {
    const number = await recharge(lin, 30)
    await recharge(chen, 20, 'wxpay')
    await recharge(chen, 10)
    await gateway.pay(number)
    await check(number)
    const { tradeNo } = (await list(`search=${number}`)).content[0]
    expect(await amounts('')).toEqual([10, 20, 30])
    expect(await amounts('search=LI')).toEqual([30])
    expect(await amounts('search=lin@example')).toEqual([30])
    expect(await amounts(`search=${number.toLowerCase()}`)).toEqual([30])
    expect(await amounts(`search=${tradeNo.slice(1)}`)).toEqual([30])
    expect(await amounts('search=nobody')).toEqual([])
    expect(await amounts('status=PENDING')).toEqual([10, 20])
    expect(await amounts('search=chen&status=PENDING&type=wxpay')).toEqual([20])
    expect(await amounts(`userId=${lin.user.id}`)).toEqual([30])
    expect(await amounts('size=1&page=1')).toEqual([20])
  })

  test('are those of whole days in Shanghai', async () => {
    const at = async (instant: string, money: number) => {
      const number = await recharge(lin, money)
      await app.db
        .updateTable('payments')
        .set({ created_at: new Date(instant) })
        .where('out_trade_no', '=', number)
        .execute()
    }
    await at('2026-10-31T15:59:59.999Z', 1)
    await at('2026-10-31T16:00:00.000Z', 2)
    await at('2026-11-01T15:59:59.999Z', 3)
    await at('2026-11-01T16:00:00.000Z', 4)
    expect(await amounts('from=2026-11-01&to=2026-11-01')).toEqual([3, 2])
    expect(await amounts('from=2026-11-02')).toEqual([4])
    expect(await amounts('to=2026-10-31')).toEqual([1])
    expect((await admin.get('/payment/all?from=gestern')).body).toMatchObject({
      success: false,
      message: '日期格式不正确',
    })
  })

  test('say whose they are and never where to pay them', async () => {
    const number = await recharge(lin, 30)
    const [row] = (await list('')).content
    expect(row).toMatchObject({ outTradeNo: number, userId: lin.user.id, ownerName: 'lin', status: 'PENDING' })
    expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['payUrl']))
    expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['qrCode']))
  })
})

describe('asking the gateway by hand', () => {
  test.each(['PENDING', 'CANCELLED', 'FAILED'] as const)('credits a payment that is %s once', async (status) => {
    const number = await recharge(lin, 30)
    expect(await check(number)).toMatchObject({ success: true, data: { outcome: 'unpaid' } })
    await app.db.updateTable('payments').set({ status }).where('out_trade_no', '=', number).execute()
    await gateway.pay(number)
    expect((await check(number)).data).toEqual({ outcome: 'credited' })
    expect((await check(number)).data).toEqual({ outcome: 'already' })
    expect(await lin.balance()).toBe(30)
  })

  test('says that nobody knows where the gateway is silent or does not take the key, and asks about no number of others', async () => {
    const number = await recharge(lin, 30)
    gateway.faults.query = 'html'
    expect((await check(number)).data).toEqual({ outcome: 'unreachable' })
    gateway.faults.query = 'normal'
    const { allowedNetworks: allowed } = app.deps.config
    const shape = { url: gateway.url, pid: 'none', key: 'none', confirm: 'query' } as const
    const merchant = app.deps.gateway?.merchant ?? ''
    app.deps.gateway = { ...epayGateway({ ...shape, allowed }), merchant }
    expect((await check(number)).data).toEqual({ outcome: 'rejected' })
    app.deps.gateway = { ...epayGateway({ ...shape, allowed: [] }), merchant }
    expect((await check(number)).data).toEqual({ outcome: 'inside' })
    expect((await check('R0000000000000000')).code).toBe('NOT_FOUND')
  })
})
