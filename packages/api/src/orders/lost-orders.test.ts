import { randomUUID } from 'node:crypto'
import { fen, yuan } from '@vps/shared/money'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { inTx } from '../db/tx.js'
import { enrolHost } from '../fleet/hosts.js'
import { sweep } from '../schedule/sweep.js'
import { capacity, hostAgent } from '../testing/host.js'
import { waitingMails } from '../testing/mails.js'
import { everyRow } from '../testing/rows.js'
import { openSale, type Sale } from '../testing/sale.js'
import { addHost, sharePool } from '../testing/shop.js'

const day = 86_400_000

let sale: Sale
let id: string
let serverId: string
beforeEach(async () => {
  sale = await openSale({ yuan: 500 })
  id = await sale.buyActive()
  serverId = await sale.serverOf(id)
})
afterEach(() => sale.app.close())

/** `shared`: it draws from the lost host's pool, too. */
async function otherHost({ shared = true, ...room }: { shared?: boolean; addresses?: number; servers?: number } = {}) {
  const host = await addHost(sale.app, sale.shop, { network: '10.9.1', ...room })
  const { db } = sale.app
  if (shared) {
    const { pool_id } = await db
      .selectFrom('host_ip_pools')
      .select('pool_id')
      .where('host_id', '=', sale.host.id)
      .executeTakeFirstOrThrow()
    await db.insertInto('host_ip_pools').values({ host_id: host.id, pool_id }).execute()
  }
  return { ...host, agent: hostAgent(sale.app, host.token) }
}
/** Last heard so long ago. */
async function lose(agoMs = 0): Promise<void> {
  await sale.app.db
    .updateTable('host_heartbeats')
    .set({ last_seen_at: new Date(sale.app.deps.now().getTime() - agoMs) })
    .where('host_id', '=', sale.host.id)
    .execute()
  expect((await sale.admin.put(`/hosts/${sale.host.id}/status`, { status: 'LOST' })).status).toBe(200)
}
/** Enrolled again, as the machine that it was. */
async function back(): Promise<void> {
  const { token } = (await sale.admin.post(`/hosts/${sale.host.id}/enrolment`)).body.data
  const { db, deps } = sale.app
  await inTx(db, (tx) =>
    enrolHost(tx, { ...sale.agent.me, hostname: 'h', capacity, enrolmentToken: token }, deps.now()),
  )
}
async function spendAll(): Promise<void> {
  const all = { userId: sale.lin.user.id, amount: -(await sale.lin.balance()), description: '测试' }
  expect((await sale.admin.put('/wallet/balance', all)).status).toBe(200)
}
const evacuate = (order = id, who = sale.admin, key: string = randomUUID()) =>
  who.post(`/orders/${order}/evacuate`, {}, { key })
const listed = async () => (await sale.admin.get(`/hosts/${sale.host.id}/lost-orders`)).body.data
const refund = (amount: number, order = id, who = sale.admin, key: string = randomUUID()) =>
  who.post(`/orders/${order}/refund-lost`, { amount }, { key })
const addressOf = async () => (await sale.order(id)).ipAddress
const told = async () =>
  (await sale.app.db.selectFrom('findings').select('kind').where('resolved_at', 'is', null).execute()).map(
    ({ kind }) => kind,
  )
const faults = async () =>
  (await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')).flatMap((verdict) => verdict.faults)
const installStatus = async () => (await sale.order(id)).server.installStatus

test('its owner’s console says so until it is set up elsewhere', async () => {
  const seen = async () => (await sale.lin.get(`/server-management/${serverId}`)).body.data.hostLost
  expect(await seen()).toBe(false)
  await lose()
  expect(await seen()).toBe(true)
  await otherHost()
  expect((await evacuate()).status).toBe(200)
  expect(await seen()).toBe(false)
})

describe('a server of a lost host, set up on another', () => {
  test('keeps its order, end, password, port and addresses, and is renewed again', async () => {
    const other = await otherHost()
    const before = await sale.order(id)
    await lose()
    expect(await told()).toEqual(['lost-servers'])
    expect(await listed()).toMatchObject([{ id, ownerName: 'lin', ipAddress: before.ipAddress, stays: null }])
    const { status, body } = await evacuate()
    expect(status).toBe(200)
    expect(await installStatus()).toBe('INSTALLING')
    expect([await listed(), await told()]).toEqual([[], []])
    const job = await other.agent.claim()
    expect(job).toMatchObject({
      id: body.data.jobId,
      payload: {
        kind: 'reinstall',
        machine: { sshPort: 2222, network: { addresses: [{ address: before.ipAddress }] } },
      },
      generation: { number: 2 },
      secrets: { password: 'Secret-pass-1' },
    })
    await other.agent.finish(job!)
    expect(await sale.order(id)).toMatchObject({
      status: 'ACTIVE',
      expiresAt: before.expiresAt,
      ipAddress: before.ipAddress,
      server: { installStatus: 'COMPLETED' },
    })
    expect(await sale.mails()).toMatchObject([
      { template: 'hostLost' },
      { template: 'orderRebuilt', orderId: id, keepsAddresses: true },
    ])
    expect((await sale.lin.post(`/orders/${id}/renew`)).status).toBe(200)
    expect(await faults()).toEqual([])
  })

  test('has the only address that there is: its own', async () => {
    await otherHost({ addresses: 0 })
    await sale.app.db.updateTable('addresses').set({ reserved: true }).where('placement_id', 'is', null).execute()
    const before = await addressOf()
    await lose()
    expect((await evacuate()).status).toBe(200)
    expect(await addressOf()).toBe(before)
    expect(await faults()).toEqual([])
  })

  test('has others where its own do not lead there, and its owner is told', async () => {
    const other = await otherHost({ shared: false })
    await lose()
    await evacuate()
    await other.agent.serve()
    expect(await addressOf()).toBe('10.9.1.2')
    expect(await sale.mails()).toMatchObject([
      { template: 'hostLost' },
      { template: 'orderRebuilt', keepsAddresses: false },
    ])
    expect(await faults()).toEqual([])
  })

  test('keeps the keys that it was reinstalled with, its firewall and the names of its addresses', async () => {
    const other = await otherHost()
    const { db } = sale.app
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJAQ9pG0d0nT8s4fRk2m2cL0i7Yw1l5nQpJk3Xj7b2aB lin'
    await sql`update jobs set payload = jsonb_set(payload, '{machine,sshKeys}', ${JSON.stringify([key])}::jsonb)`.execute(
      db,
    )
    const at = sale.app.deps.now()
    const firewall = JSON.stringify({ isOn: true, rules: [] })
    await db
      .insertInto('firewalls')
      .values({ server_id: serverId, firewall, revision: 3, applied_revision: 3, updated_at: at })
      .execute()
    const { id: placement_id } = await db.selectFrom('placements').select('id').executeTakeFirstOrThrow()
    const address = await addressOf()
    await db
      .insertInto('reverse_names')
      .values({ address, placement_id, wanted: 'a.example.com', written: 'a.example.com', updated_at: at })
      .execute()
    await lose()
    await evacuate()
    expect((await other.agent.claim())?.payload).toMatchObject({ machine: { sshKeys: [key] } })
    const rows = await db.selectFrom('firewalls').select(['revision', 'applied_revision']).execute()
    expect(rows).toEqual([{ revision: 3, applied_revision: null }])
    expect(await db.selectFrom('reverse_names').select(['address', 'wanted']).execute()).toEqual([
      { address, wanted: 'a.example.com' },
    ])
  })

  test('that never came about there is no finished server, whatever takes the place of its job', async () => {
    await otherHost()
    await lose()
    await evacuate()
    await sale.lin.post('/server-management/action', { serverId, action: 'stop', force: true })
    expect(await installStatus()).toBe('FAILED')
  })

  test('is cleaned away where it was, once that host is back after all', async () => {
    const other = await otherHost()
    await lose()
    await evacuate()
    await other.agent.serve()
    await sale.app.db.updateTable('hosts').set({ status: 'READY' }).where('id', '=', sale.host.id).execute()
    expect(await sale.agent.claim()).toMatchObject({
      serverId,
      payload: { kind: 'destroy' },
      generation: { number: 1 },
    })
    expect(await addressOf()).toBe('10.9.0.2')
  })

  test('five times at once, and under one key, is one job', async () => {
    await otherHost()
    await lose()
    const replies = await Promise.all(Array.from({ length: 5 }, (_, n) => evacuate(id, sale.admin, `k${n % 2}`)))
    expect(new Set(replies.flatMap(({ body }) => body.data?.jobId ?? [])).size).toBe(1)
    const jobs = await sale.app.db.selectFrom('jobs').select('id').where('kind', '=', 'reinstall').execute()
    expect(jobs).toHaveLength(1)
    expect(await faults()).toEqual([])
  })

  test('begins a new period where its end went by while it waited, and is refused where that cannot be paid', async () => {
    const other = await otherHost()
    await lose()
    await sale.toEnd(id, 5 * day)
    await sweep(sale.app.deps)
    await other.agent.report(serverId, 'off')
    await spendAll()
    const before = await everyRow(sale.app)
    expect((await evacuate()).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE', message: '客户余额不足，没有续费' })
    expect(await everyRow(sale.app)).toBe(before)
    await sale.recharge(30)
    expect((await evacuate()).status).toBe(200)
    await sweep(sale.app.deps)
    const { status, expires_at } = await sale.orderRow(id)
    // Of the period before, all but the moments until the host was last heard came back.
    expect([status, await sale.lin.balance()]).toEqual(['ACTIVE', 29.99])
    expect(expires_at!.getTime()).toBeGreaterThan(sale.app.deps.now().getTime() + 27 * day)
    expect(await faults()).toEqual([])
  })

  test('is refused without room elsewhere, and nothing has changed', async () => {
    await lose()
    const before = await everyRow(sale.app)
    expect((await evacuate()).body).toMatchObject({
      code: 'NO_STOCK',
      message: '没有其他宿主机有足够的资源、地址和该系统的镜像',
    })
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('is refused to its owner, on a host that is not lost, when suspended, and while its money is asked for', async () => {
    await otherHost()
    const notLost = '服务器不在已宣告丢失的宿主机上，或订单已结束'
    expect((await evacuate()).body).toMatchObject({ code: 'MOVE_NOT_ALLOWED', message: notLost })
    expect((await evacuate(id, sale.lin)).status).toBe(403)
    expect((await evacuate(randomUUID())).status).toBe(404)
    await lose()
    await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    expect((await evacuate()).body.code).toBe('REFUND_OPEN')
    expect(await listed()).toMatchObject([{ stays: '该订单已有待处理的退款申请' }])
    await sale.app.db.updateTable('orders').set({ status: 'SUSPENDED', suspend_reason: 'admin' }).execute()
    expect((await evacuate()).body.message).toBe('订单未处于活跃状态，不能操作服务器')
  })
})

describe('backups of a server that was set up on another host', () => {
  const at = () => `/server-management/${serverId}/backups`
  const backup = { diskBytes: 1, addedBytes: 1, hostKey: 'ssh-ed25519 AAAA' }
  const kept = async () =>
    (await sale.lin.get(at())).body.data.backups
      .filter(({ state }: { state: string }) => state === 'READY')
      .map((one: { id: string }) => one.id)
  async function toSchedule(agent: typeof sale.agent): Promise<string> {
    const { next_at } = await sale.app.db.selectFrom('backup_schedules').select('next_at').executeTakeFirstOrThrow()
    sale.app.advance(Math.max(0, next_at.getTime() - sale.app.deps.now().getTime() + 1000))
    await agent.report(serverId, 'on')
    await sweep(sale.app.deps)
    expect((await agent.serve({ power: 'on', backup }))?.payload.kind).toBe('backup')
    return (await kept())[0]
  }

  /** Two of before, and it runs again. */
  async function setUpElsewhere() {
    await sale.admin.put('/backup-repository', { url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
    await sale.app.db.updateTable('price_groups').set({ most_backups: 5 }).execute()
    expect((await sale.lin.post(`/orders/${id}/upgrade`, { backups: 2 })).status).toBe(200)
    const schedule = { frequency: 'daily', hour: 3 }
    expect((await sale.lin.put(`/server-management/${serverId}/backup-schedule`, { schedule })).status).toBe(200)
    const before = [await toSchedule(sale.agent), await toSchedule(sale.agent)].toReversed()
    const other = await otherHost()
    await lose()
    expect((await evacuate()).status).toBe(200)
    await other.agent.serve()
    return { other, before }
  }

  test('stay, though its schedule goes on, until one is brought back: they may be all that is left of its data', async () => {
    const { other, before } = await setUpElsewhere()
    const anew = []
    for (const _ of [1, 2, 3]) anew.unshift(await toSchedule(other.agent))
    expect(await kept()).toEqual([anew[0], anew[1], ...before])
    expect((await sale.lin.post(`${at()}/${before[0]}/restore`)).status).toBe(200)
    await other.agent.serve()
    const next = await toSchedule(other.agent)
    expect(await kept()).toEqual([next, anew[0]])
  })

  test('stay also when it migrates afterwards: that brings back nothing of before', async () => {
    const { other, before } = await setUpElsewhere()
    const third = await addHost(sale.app, sale.shop, { network: '10.9.2' })
    await sharePool(sale.app, sale.host.id, third.id)
    const agent = hostAgent(sale.app, third.token)
    await other.agent.report(serverId, 'on')
    const asked = await sale.admin.post(`/servers/${serverId}/migrate`, { hostId: third.id }, { key: randomUUID() })
    expect(asked.status).toBe(200)
    await sweep(sale.app.deps)
    await other.agent.serve({ power: 'off' })
    await other.agent.serve({ power: 'off', backup })
    expect((await agent.serve({ power: 'on' }))?.payload.kind).toBe('restore')
    await other.agent.serve({ power: 'absent' })
    const anew = []
    for (const _ of [1, 2, 3]) anew.unshift(await toSchedule(agent))
    expect(await kept()).toEqual([anew[0], anew[1], ...before])
  })
})

describe('time without a server', () => {
  /** Of ¥30 for the first period, to the fen below. */
  const partOf = async (ms: number) => {
    const { starts_at, ends_at } = await sale.app.db
      .selectFrom('order_periods')
      .selectAll()
      .where('seq', '=', 1)
      .executeTakeFirstOrThrow()
    return Math.floor((3000 * ms) / (ends_at.getTime() - starts_at.getTime())) / 100
  }
  const back = () =>
    sale.app.db
      .selectFrom('ledger_entries')
      .select(['amount_fen', 'description', 'order_id'])
      .where('type', '=', 'REFUND')
      .orderBy('seq')
      .execute()

  test('is given back to who paid for it, when the server is set up elsewhere, and only once', async () => {
    await otherHost()
    sale.app.advance(15 * day)
    await lose(2 * day)
    const credit = await partOf(2 * day)
    expect(await listed()).toMatchObject([{ credit, stays: null }])
    const before = await sale.lin.balance()
    const replies = await Promise.all(Array.from({ length: 4 }, (_, n) => evacuate(id, sale.admin, `k${n % 2}`)))
    expect(new Set(replies.flatMap(({ body }) => body.data?.jobId ?? [])).size).toBe(1)
    expect(yuan.decode(await sale.lin.balance()) - yuan.decode(before)).toBe(yuan.decode(credit))
    const { number } = await sale.orderRow(id)
    const description = `订单 ${number} 宿主机损坏期间的费用退回`
    expect(await back()).toEqual([{ amount_fen: yuan.decode(credit), description, order_id: id }])
    const mail = (await waitingMails(sale.app)).find(({ subject }) => subject.startsWith('服务器正在重建'))
    expect(mail?.text).toContain(`服务器不可用期间的费用 ¥${credit.toFixed(2)} 已退回您的钱包余额。`)
    expect(await faults()).toEqual([])
  })

  test('is not given back again by a second loss, nor by a refund of the whole', async () => {
    const other = await otherHost()
    sale.app.advance(day)
    await lose(day / 2)
    expect((await evacuate()).status).toBe(200)
    const first = await partOf(day / 2)
    await other.agent.serve()
    // The second host was last heard before the order came to it.
    await sale.app.db
      .updateTable('host_heartbeats')
      .set({ last_seen_at: new Date(0) })
      .execute()
    await sale.app.db.updateTable('hosts').set({ status: 'LOST' }).where('id', '=', other.id).execute()
    const lostAgain = (await sale.admin.get(`/hosts/${other.id}/lost-orders`)).body.data
    expect(lostAgain).toMatchObject([{ credit: 0, refund: expect.closeTo(30 - first, 5) }])
    await sale.app.db.updateTable('hosts').set({ status: 'READY' }).where('id', '=', other.id).execute()
    await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    const { id: request } = await sale.app.db.selectFrom('refund_requests').select('id').executeTakeFirstOrThrow()
    expect((await sale.admin.post(`/refunds/${request}/approve`, { reason: '同意' })).status).toBe(200)
    expect((await back()).map(({ amount_fen }) => amount_fen)).toEqual([
      yuan.decode(first),
      fen(3000) - yuan.decode(first),
    ])
    expect(await sale.lin.balance()).toBe(500)
    expect(await faults()).toEqual([])
  })

  test('of an upgrade and of a renewal in advance is given back by each one’s own time', async () => {
    await otherHost()
    sale.app.advance(10 * day)
    const spec = { cpuCores: 4, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
    expect((await sale.lin.post(`/orders/${id}/upgrade`, spec)).status).toBe(200)
    await sale.agent.serve({ size: { cpuCores: 4, memoryMb: 4096 } })
    sale.app.advance(10 * day)
    const { charge_fen, created_at } = await sale.app.db
      .selectFrom('order_upgrades')
      .selectAll()
      .executeTakeFirstOrThrow()
    const { ends_at } = await sale.app.db.selectFrom('order_periods').selectAll().executeTakeFirstOrThrow()
    await lose(day)
    const upgraded = Math.floor((charge_fen * day) / (ends_at.getTime() - created_at.getTime()))
    expect(upgraded).toBeGreaterThan(0)
    const whole = yuan.decode(await partOf(day)) + upgraded
    expect((await listed()).map(({ credit }: { credit: number }) => yuan.decode(credit))).toEqual([whole])
    expect((await evacuate()).status).toBe(200)
    expect((await back()).map(({ amount_fen }) => amount_fen)).toEqual([whole])
    expect(await faults()).toEqual([])
  })
})

describe('an order of a lost host, paid back', () => {
  test('gives back its unused time from when the host was last heard, ends, and its owner is told', async () => {
    sale.app.advance(15 * day)
    await lose(5 * day)
    const [{ refund: shown }] = await listed()
    const { activated_at, expires_at } = await sale.orderRow(id)
    const whole = expires_at!.getTime() - activated_at!.getTime()
    expect(shown).toBe(Math.round((3000 * (whole - 10 * day)) / whole) / 100)
    const before = await sale.lin.balance()
    expect((await refund(shown)).status).toBe(200)
    expect(await sale.order(id)).toMatchObject({
      status: 'CANCELLED',
      cancelReason: '服务器所在的宿主机已损坏',
      refund: { status: 'APPROVED' },
    })
    expect(yuan.decode(await sale.lin.balance()) - yuan.decode(before)).toBe(yuan.decode(shown))
    expect(await sale.mails()).toMatchObject([{ template: 'hostLost' }, { template: 'orderRefunded', orderId: id }])
    expect([await listed(), await told(), await faults()]).toEqual([[], [], []])
    expect((await refund(shown)).body.code).toBe('MOVE_NOT_ALLOWED')
  })

  test('gives back renewals in advance whole, and upgrades by their time', async () => {
    await sale.lin.post(`/orders/${id}/renew`)
    sale.app.advance(10 * day)
    const spec = { cpuCores: 4, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
    expect((await sale.lin.post(`/orders/${id}/upgrade`, spec)).status).toBe(200)
    await sale.agent.serve()
    sale.app.advance(10 * day)
    const { activated_at } = await sale.orderRow(id)
    const periods = await sale.app.db.selectFrom('order_periods').selectAll().orderBy('seq').execute()
    const upgrade = await sale.app.db.selectFrom('order_upgrades').selectAll().executeTakeFirstOrThrow()
    const [first, second] = periods
    const heard = activated_at!.getTime() + 20 * day
    const share = (paid: number, from: Date, to: Date) =>
      Math.round((paid * (to.getTime() - Math.max(from.getTime(), heard))) / (to.getTime() - from.getTime()))
    await lose(sale.app.deps.now().getTime() - heard)
    const [{ refund: shown }] = await listed()
    expect(upgrade.periods_paid).toBe(2)
    expect(yuan.decode(shown)).toBe(
      share(first!.paid_fen, first!.starts_at, first!.ends_at) +
        second!.paid_fen +
        share(upgrade.charge_fen, upgrade.created_at, second!.ends_at),
    )
  })

  test('gives back no less than its owner may ask for, or has asked for', async () => {
    await lose()
    const [{ refund: shown }] = await listed()
    expect(shown).toBe(30)
    await sale.lin.post(`/orders/${id}/refund`, { reason: '不再需要' })
    sale.app.advance(20 * day)
    expect(await listed()).toMatchObject([{ refund: 30 }])
    expect((await refund(30)).status).toBe(200)
    const requests = await sale.app.db.selectFrom('refund_requests').select(['status', 'refunded_fen']).execute()
    expect(requests).toEqual([{ status: 'APPROVED', refunded_fen: fen(3000) }])
    expect(await faults()).toEqual([])
  })

  test('that was suspended unpaid before waits however long, is not renewed, and gives back what its host was silent of its time', async () => {
    await otherHost()
    await sale.app.db.updateTable('orders').set({ auto_renewal: false }).execute()
    await sale.toEnd(id, 3_600_000)
    await sweep(sale.app.deps)
    expect((await sale.order(id)).status).toBe('SUSPENDED')
    await lose(2 * day)
    sale.app.advance(5 * day)
    await sweep(sale.app.deps)
    const [{ status, stays, refund: shown }] = await listed()
    expect([status, stays]).toEqual(['SUSPENDED', '订单未处于活跃状态，不能操作服务器'])
    const { starts_at, ends_at } = await sale.app.db.selectFrom('order_periods').selectAll().executeTakeFirstOrThrow()
    const unserved = (2 * day - 3_600_000) / (ends_at.getTime() - starts_at.getTime())
    expect(shown).toBeCloseTo(30 * unserved, 1)
    expect((await sale.lin.post(`/orders/${id}/renew`)).body.code).toBe('MOVE_NOT_ALLOWED')
    expect((await evacuate()).body.code).toBe('MOVE_NOT_ALLOWED')
    const before = await sale.lin.balance()
    expect((await refund(shown)).status).toBe(200)
    expect(yuan.decode(await sale.lin.balance()) - yuan.decode(before)).toBe(yuan.decode(shown))
    expect([(await sale.order(id)).status, await listed(), await faults()]).toEqual(['CANCELLED', [], []])
  })

  test('that waits for the money has all the time to pay again once that host is back: its owner could not pay meanwhile', async () => {
    const swept = async () => {
      await sweep(sale.app.deps)
      return (await sale.order(id)).status
    }
    await sale.app.db.updateTable('orders').set({ auto_renewal: false }).execute()
    await sale.toEnd(id, 3_600_000)
    expect(await swept()).toBe('SUSPENDED')
    await lose()
    sale.app.advance(5 * day)
    expect((await sale.lin.post(`/orders/${id}/renew`)).body.code).toBe('MOVE_NOT_ALLOWED')
    await back()
    expect(await swept()).toBe('SUSPENDED')
    sale.app.advance(2 * day)
    expect([await swept(), await faults()]).toEqual(['SUSPENDED', []])
    expect((await sale.lin.post(`/orders/${id}/renew`)).status).toBe(200)
    await sale.toEnd(id, 3_600_000)
    expect(await swept()).toBe('SUSPENDED')
    sale.app.advance(3 * day)
    expect(await swept()).toBe('EXPIRED')
  })

  test('has all that time, too, where an operator had marked the loss as handled: it was not over by that', async () => {
    await sale.app.db.updateTable('orders').set({ auto_renewal: false }).execute()
    await sale.toEnd(id, 3_600_000)
    await sweep(sale.app.deps)
    await lose()
    const { content } = (await sale.admin.get('/findings')).body.data
    const lost = content.find(({ kind }: { kind: string }) => kind === 'lost-servers')
    expect((await sale.admin.post(`/findings/${lost.id}/resolve`)).status).toBe(200)
    sale.app.advance(5 * day)
    await back()
    await sweep(sale.app.deps)
    expect([(await sale.order(id)).status, await faults()]).toEqual(['SUSPENDED', []])
    expect((await sale.lin.post(`/orders/${id}/renew`)).status).toBe(200)
  })

  test('whose end went by meanwhile is renewed from when that host is back, by its owner and by itself: nobody pays for days without a server', async () => {
    const lostFiveDays = async () => {
      await lose()
      sale.app.advance(5 * day)
      await back()
    }
    const daysLeft = async () => (+(await sale.orderRow(id)).expires_at! - +sale.app.deps.now()) / day
    await sale.toEnd(id, 3_600_000)
    await lostFiveDays()
    await sweep(sale.app.deps)
    expect(await daysLeft()).toBeGreaterThan(27)
    await sale.app.db.updateTable('orders').set({ auto_renewal: false }).execute()
    await sale.toEnd(id, 3_600_000)
    await sweep(sale.app.deps)
    await lostFiveDays()
    const { amount, endsAt, expiresAt } = (await sale.lin.get(`/orders/${id}/renewal`)).body.data
    const renewed = await sale.lin.post(`/orders/${id}/renew`, { amount, endsAt })
    expect(renewed.body.data.status).toBe('ACTIVE')
    expect(Math.abs(Date.parse(renewed.body.data.expiresAt) - Date.parse(expiresAt))).toBeLessThan(3_600_000)
    expect(await daysLeft()).toBeGreaterThan(27)
    expect(await faults()).toEqual([])
  })

  test('that waits for the money ends, and takes none, three days after that host is back', async () => {
    await sale.toEnd(id, 3_600_000)
    await spendAll()
    await sweep(sale.app.deps)
    expect((await sale.order(id)).status).toBe('SUSPENDED')
    await lose()
    sale.app.advance(5 * day)
    await back()
    sale.app.advance(2 * day)
    await sale.recharge(40)
    await sweep(sale.app.deps)
    expect((await sale.order(id)).status).toBe('ACTIVE')
    await spendAll()
    await sale.toEnd(id, 3_600_000)
    await sweep(sale.app.deps)
    await lose()
    sale.app.advance(5 * day)
    await back()
    sale.app.advance(3 * day)
    expect((await sale.lin.post(`/orders/${id}/renew`)).body.message).toBe('已超过续费宽限期')
    await sale.recharge(40)
    await sweep(sale.app.deps)
    expect([(await sale.order(id)).status, await faults()]).toEqual(['EXPIRED', []])
  })

  test('gives nothing back where all its time was used', async () => {
    await sale.toEnd(id, 0)
    await lose()
    expect(await listed()).toMatchObject([{ refund: 0 }])
    expect((await refund(0)).status).toBe(200)
    expect(await faults()).toEqual([])
    const mail = (await waitingMails(sale.app)).find(({ subject }) => subject.startsWith('订单'))
    expect(mail?.subject).toBe(`订单已结束：${(await sale.order(id)).orderNumber}`)
    expect(mail?.text).toContain('没有需要退还的费用')
    expect(mail?.text).toContain('服务器所在的宿主机已损坏')
    expect(mail?.text).not.toMatch(/已退回|¥0/)
  })

  test('is refused for another sum than was shown, to its owner, and on a host that is not lost', async () => {
    expect((await refund(30)).body.code).toBe('MOVE_NOT_ALLOWED')
    await lose()
    const before = await everyRow(sale.app)
    expect((await refund(29)).body.code).toBe('STATE_CHANGED')
    expect((await refund(30, id, sale.lin)).status).toBe(403)
    expect(await everyRow(sale.app)).toBe(before)
  })

  test('five times at once, beside being set up elsewhere, is one or the other', async () => {
    await otherHost()
    await lose()
    const replies = await Promise.all([refund(30), evacuate(), refund(30), evacuate(), refund(30)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const back = await sale.app.db.selectFrom('ledger_entries').select('id').where('type', '=', 'REFUND').execute()
    expect(back.length).toBeLessThanOrEqual(1)
    expect(await faults()).toEqual([])
  })

  test('whose upgrade never began gives that back, too', async () => {
    const spec = { cpuCores: 4, memoryGb: 4, storageGb: 40, bandwidthMbps: 100, ipCount: 1 }
    await sale.lin.post(`/orders/${id}/upgrade`, spec)
    await lose()
    const [{ refund: shown, stays }] = await listed()
    expect([shown, stays]).toEqual([30, '服务器正在执行其他操作，请稍后再试'])
    expect((await refund(shown)).status).toBe(200)
    await sweep(sale.app.deps)
    expect(await sale.lin.balance()).toBe(500)
    expect(await faults()).toEqual([])
  })
})
