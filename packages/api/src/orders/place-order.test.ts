import { fen } from '@vps/shared/money'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call, person } from '../testing/people.js'
import { countOf, everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale()))
afterEach(() => sale.app.close())

const send = (change: object = {}, who = sale.lin) => who.post('/orders', { ...sale.shop.order, ...change })
const quote = (change: object = {}) =>
  call(sale.app, 'POST', '/orders/quote', { body: { ...sale.shop.order, ...change } })

describe('an order that is placed', () => {
  test('reserves and charges nothing, is priced as it was quoted, and is written down', async () => {
    const quoted = (await quote({ cpuCores: 3, storageGb: 60 })).body.data
    const { data } = (await send({ cpuCores: 3, storageGb: 60 })).body
    expect(data).toMatchObject({ status: 'PENDING', amount: quoted.amount, autoRenewal: true, server: null })
    expect(quoted).toMatchObject({ amount: 44, originalAmount: 44, discount: 0, available: true })
    expect([await countOf(sale.app, 'placements'), await countOf(sale.app, 'jobs'), await sale.lin.balance()]).toEqual([
      0, 0, 100,
    ])
    expect((await sale.admin.get(`/audit?subjectId=${data.id}`)).body.data.content).toMatchObject([
      { action: 'order.place', details: { number: data.orderNumber, amountFen: 4400, period: 'MONTHLY' } },
    ])
  })

  test('is answered as it is read afterwards, with and without a key', async () => {
    for (const key of [undefined, uuidv7()]) {
      const { body } = await sale.lin.post('/orders', sale.shop.order, key === undefined ? {} : { key })
      expect((await sale.lin.get(`/orders/${body.data.id}`)).body.data).toEqual(body.data)
    }
  })

  test('takes the periods in any spelling and blanks for what has a default', async () => {
    for (const [billingPeriod, wanted] of [
      ['semiAnnual', 'SEMI_ANNUAL'],
      ['daily', 'DAILY'],
    ] as const)
      expect((await send({ billingPeriod })).body.data.billingPeriod).toBe(wanted)
    expect((await send({ sshPort: '' })).body.data.sshPort).toBe(22)
    expect(
      (await send({ sshPort: undefined, initialPassword: undefined, autoRenewal: false })).body.data,
    ).toMatchObject({
      sshPort: 22,
      autoRenewal: false,
      initialPassword: expect.stringMatching(/^.{12}$/),
    })
  })

  test('keeps the discount of its moment', async () => {
    await sale.app.db.updateTable('price_groups').set({ has_discount: true, discount_percentage: 33 }).execute()
    const id = await sale.place()
    expect((await sale.order(id)).amount).toBe(20.1)
    await sale.app.db.updateTable('price_groups').set({ has_discount: false, discount_percentage: null }).execute()
    expect((await sale.lin.post(`/orders/${id}/pay`)).body.code).toBe('PRICE_CHANGED')
    expect((await sale.order(id)).amount).toBe(30)
  })

  test('brings the customer’s own keys, and nobody else’s', async () => {
    const chen = await person(sale.app, 'chen')
    const keys = [sale.lin, chen].map((who, n) => ({
      id: uuidv7(),
      user_id: who.user.id,
      name: `key ${n}`,
      public_key: `ssh-ed25519 AAAA${n}`,
      fingerprint: `SHA256:${n}`,
      created_at: sale.app.deps.now(),
    }))
    await sale.app.db.insertInto('ssh_keys').values(keys).execute()
    const [mine, theirs] = keys.map(({ id }) => id)
    const { id } = (await send({ sshKeyIds: [mine, mine] })).body.data
    expect((await sale.orderRow(id)).ssh_keys).toEqual(['ssh-ed25519 AAAA0'])
    const before = await everyRow(sale.app)
    for (const sshKeyIds of [[theirs], [mine, theirs], [uuidv7()]])
      expect((await send({ sshKeyIds })).body.code).toBe('UNKNOWN_SSH_KEY')
    expect((await send({ sshKeyIds: Array.from({ length: 21 }, () => mine) })).status).toBe(400)
    expect(await everyRow(sale.app)).toBe(before)
  })
})

describe('an order is not placed', () => {
  test('for what is off the shelf, however it went off', async () => {
    const off = async (act: () => Promise<unknown>, code: string) => {
      await act()
      const before = await everyRow(sale.app)
      expect((await send()).body.code).toBe(code)
      expect(await everyRow(sale.app)).toBe(before)
    }
    const images = (change: object) => sale.app.db.updateTable('images').set(change).execute()
    const groups = (change: object) => sale.app.db.updateTable('price_groups').set(change).execute()
    await off(() => images({ is_active: false }), 'UNKNOWN_IMAGE')
    await images({ is_active: true })
    await off(() => groups({ monthly_fen: fen(0) }), 'PERIOD_NOT_SOLD')
    await groups({ monthly_fen: fen(3000) })
    await off(() => groups({ is_active: false }), 'UNKNOWN_PRICE_GROUP')
  })

  test('on less storage than its system needs, a gigabyte less and not at all', async () => {
    await sale.app.db.updateTable('images').set({ min_disk_gb: 41 }).execute()
    expect((await send()).body).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Debian 12 至少需要 41 GB 存储',
      errors: { storageGb: 'Debian 12 至少需要 41 GB 存储' },
    })
    expect((await send({ storageGb: 41 })).status).toBe(200)
  })

  test('as the fifty-first that waits; one that is cancelled makes room, and nobody else’s count', async () => {
    const ids = await Promise.all(Array.from({ length: 49 }, () => sale.place()))
    const last = await Promise.all([send(), send(), send()])
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(last.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'TOO_MANY_PENDING',
      message: '待付款订单过多，请先支付或取消',
    })
    expect((await send({}, sale.admin)).status).toBe(200)
    await sale.lin.put(`/orders/${ids[0]}/cancel`)
    expect([(await send()).status, (await send()).status]).toEqual([200, 409])
  })
})
