import { orderCan, orderStatuses, type OrderStatus } from '@vps/shared/orders'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { sweep } from '../schedule/sweep.js'
import { startApp, type TestApp } from '../testing/app.js'
import { hostAgent } from '../testing/host.js'
import { person, type Person } from '../testing/people.js'
import { addHost, openShop, type Shop } from '../testing/shop.js'

/**
 * Screen and server share `orderCan`: what it allows is done, what it refuses is refused with its sentence, without
 * trace.
 */

let app: TestApp
let shop: Shop
let lin: Person
let admin: Person
let agent: ReturnType<typeof hostAgent>
beforeEach(async () => {
  app = await startApp()
  shop = await openShop(app)
  lin = await person(app, 'lin', { yuan: 500 })
  admin = await person(app, 'boss', { admin: true })
  agent = hostAgent(app, (await addHost(app, shop)).token)
})
afterEach(() => app.close())

const hour = 3_600_000

const bringTo: Record<OrderStatus, () => Promise<string>> = {
  async PENDING() {
    return (await lin.post('/orders', shop.order)).body.data.id
  },
  async PAID() {
    const id = await bringTo.PENDING()
    expect((await lin.post(`/orders/${id}/pay`)).status).toBe(200)
    return id
  },
  async PROCESSING() {
    const id = await bringTo.PAID()
    await agent.claim()
    return id
  },
  async ACTIVE() {
    const id = await bringTo.PAID()
    // What other orders left to do comes first.
    while (await agent.serve());
    return id
  },
  async SUSPENDED() {
    const id = await bringTo.ACTIVE()
    await sweepPast(id, 1)
    return id
  },
  async CANCELLED() {
    const id = await bringTo.PENDING()
    await lin.put(`/orders/${id}/cancel`)
    return id
  },
  async EXPIRED() {
    const id = await bringTo.SUSPENDED()
    await sweepPast(id, 73)
    return id
  },
}

/** The timers, hours after the paid end, with an empty wallet. */
async function sweepPast(id: string, hours: number): Promise<void> {
  await lin.put(`/orders/${id}/auto-renewal`, { autoRenewal: false })
  const { expires_at } = await orderRow(id)
  app.advance((expires_at?.getTime() ?? 0) + hours * hour - app.deps.now().getTime())
  await sweep(app.deps)
}
const orderRow = (id: string) => app.db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

type Act = {
  can: keyof typeof orderCan
  send: (id: string) => ReturnType<Person['post']>
  /** Another rule's sentence, which this state always breaks. */
  also?: Partial<Record<OrderStatus, string>>
}
const acts: Record<string, Act> = {
  pay: { can: 'pay', send: (id) => lin.post(`/orders/${id}/pay`) },
  cancel: { can: 'cancel', send: (id) => lin.put(`/orders/${id}/cancel`) },
  renew: { can: 'renew', send: (id) => lin.post(`/orders/${id}/renew`) },
  upgrade: { can: 'upgrade', send: (id) => lin.post(`/orders/${id}/upgrade`, { cpuCores: 4 }) },
  'ask for a refund': {
    can: 'requestRefund',
    send: (id) => lin.post(`/orders/${id}/refund`, { reason: '不再需要' }),
    also: { SUSPENDED: '仅可在开通后7天内且首个计费周期内申请退款' },
  },
  'switch auto-renewal': {
    can: 'setAutoRenewal',
    send: (id) => lin.put(`/orders/${id}/auto-renewal`, { autoRenewal: false }),
  },
}

async function everything() {
  const rows = await Promise.all([
    app.db.selectFrom('orders').selectAll().orderBy('id').execute(),
    app.db.selectFrom('ledger_entries').selectAll().orderBy('seq').execute(),
    app.db.selectFrom('jobs').select(['id', 'status', 'kind']).orderBy('id').execute(),
    app.db.selectFrom('placements').selectAll().orderBy('id').execute(),
    app.db.selectFrom('refund_requests').selectAll().orderBy('id').execute(),
    app.db.selectFrom('order_upgrades').selectAll().orderBy('id').execute(),
  ])
  return JSON.stringify(rows)
}

describe.each(orderStatuses)('an order that is %s', (status) => {
  test.each(Object.keys(acts))('%s: as the rule says', async (name) => {
    const { can, send, also } = acts[name] as Act
    const id = await bringTo[status]()
    expect((await orderRow(id)).status).toBe(status)
    const before = await everything()
    const reply = await send(id)
    const reason = orderCan[can].reason({ status }) ?? also?.[status] ?? null
    if (reason === null) {
      expect([reply.status, reply.body.success]).toEqual([200, true])
    } else {
      expect([reply.status, reply.body.message]).toEqual([409, reason])
      expect(await everything()).toBe(before)
    }
    const verdicts = await verifyBooks(app.db, app.deps.now(), 'moved')
    expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
  })

  test('a stranger learns nothing of it: every act is 404, and nothing changes', async () => {
    const stranger = await person(app, 'zhao', { yuan: 500 })
    const id = await bringTo[status]()
    const before = await everything()
    const replies = [
      await stranger.get(`/orders/${id}`),
      await stranger.post(`/orders/${id}/pay`),
      await stranger.put(`/orders/${id}/cancel`),
      await stranger.post(`/orders/${id}/renew`),
      await stranger.post(`/orders/${id}/upgrade`, { cpuCores: 4 }),
      await stranger.post(`/orders/${id}/refund`, { reason: '不再需要' }),
      await stranger.put(`/orders/${id}/auto-renewal`, { autoRenewal: false }),
    ]
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 404))
    expect(await everything()).toBe(before)
  })

  test('an administrator moves it where the table of moves says, and nowhere else', async () => {
    for (const to of orderStatuses) {
      const id = await bringTo[status]()
      const reply = await admin.put(`/orders/${id}/status`, { status: to, reason: '核对' })
      const now = await orderRow(id)
      if (reply.status === 200) expect([to, now.status]).toEqual([to, to])
      else expect([to, reply.status, now.status]).toEqual([to, 409, status])
    }
  })
})
