import { randomUUID } from 'node:crypto'
import { fen } from '@vps/shared/money'
import { placeOrderInput } from '@vps/shared/orders.contract'
import type { OrderStatus } from '@vps/shared/orders'
import type { User } from '../../packages/api/src/actor.js'
import { backupRepositoryInput } from '@vps/shared/backups.contract'
import { saveRepository } from '../../packages/api/src/backups/repository.js'
import type { Db, Tx } from '../../packages/api/src/db/client.js'
import { inTx } from '../../packages/api/src/db/tx.js'
import { Refusal, toRefusal } from '../../packages/api/src/errors.js'
import { migrateServer } from '../../packages/api/src/fulfilment/migrate-servers.js'
import { retryJob } from '../../packages/api/src/fulfilment/retry-job.js'
import { cancelOrder } from '../../packages/api/src/orders/cancel-order.js'
import { evacuateOrder, listLostOrders, refundLost } from '../../packages/api/src/orders/lost-orders.js'
import { payOrder, repriceOrder } from '../../packages/api/src/orders/pay-order.js'
import { placeOrder } from '../../packages/api/src/orders/place-order.js'
import { approveRefund, rejectRefund, requestRefund } from '../../packages/api/src/orders/refunds.js'
import { renewAsAsked } from '../../packages/api/src/orders/renew-order.js'
import { setAutoRenewal } from '../../packages/api/src/orders/set-auto-renewal.js'
import { setOrderStatus } from '../../packages/api/src/orders/set-order-status.js'
import { upgradeOrder } from '../../packages/api/src/orders/upgrade-order.js'
import { creditExtra } from '../../packages/api/src/payments/credit-extra.js'
import { settlePayment } from '../../packages/api/src/payments/settle-payment.js'
import type { Shop } from '../../packages/api/src/testing/shop.js'
import { openWallet } from '../../packages/api/src/wallet/open-wallet.js'
import type { Random } from './random.js'
import { openTenants } from './tenants.js'
import type { World } from './world.js'

/** Each act is one command, by whichever process. */
export function openPeople(world: World, shop: Shop, random: Random) {
  const people: User[] = []
  const growths = [
    () => ({ cpuCores: random.between(3, 5), memoryGb: random.between(5, 9) }),
    () => ({ storageGb: random.between(5, 9) * 10 }),
    () => ({ ipCount: random.between(2, 3) }),
    () => ({ cpuCores: 4, ipCount: 2 }),
  ]
  const refused = new Map<string, number>()
  let administrator: User
  let credited = 0
  const settledLost = { evacuated: 0, refunded: 0 }

  /** Refusals are counted; anything else ends the simulation. */
  async function attempt<T>(act: (tx: Tx) => Promise<T>, db: Db = random.pick(world.processes).db): Promise<T | null> {
    try {
      return await inTx(db, act)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : toRefusal(error)
      if (!refusal) throw error
      refused.set(refusal.code, (refused.get(refusal.code) ?? 0) + 1)
      return null
    }
  }

  async function join(name: string, role: 'USER' | 'ADMIN'): Promise<User> {
    const user: User = { id: randomUUID(), username: name, role, sessionId: randomUUID(), address: null }
    const now = world.now()
    await inTx(world.db, async (tx) => {
      const row = { id: user.id, username: name, email: `${name}@example.com`, password_hash: 'x', role }
      await tx
        .insertInto('users')
        .values({ ...row, created_at: now, updated_at: now })
        .execute()
      await openWallet(tx, user.id, now)
    })
    return user
  }

  async function someOrder(...states: OrderStatus[]) {
    const query = world.db.selectFrom('orders').select(['id', 'user_id', 'server_id']).where('status', 'in', states)
    const rows = await query.orderBy('id').execute()
    if (rows.length === 0) return null
    const order = random.pick(rows)
    return { id: order.id, serverId: order.server_id, owner: people.find((one) => one.id === order.user_id)! }
  }

  const tenants = openTenants(world, random, attempt)

  const acts = {
    /** Confirmed by both processes at once and once more: credited once. */
    async recharge(user = random.pick(people), amountFen = random.between(5, 600) * 100) {
      const outTradeNo = `P${randomUUID().replaceAll('-', '').slice(0, 24)}`
      const now = world.now()
      const row = {
        id: randomUUID(),
        out_trade_no: outTradeNo,
        user_id: user.id,
        method: 'alipay',
        money_fen: fen(amountFen),
      }
      await world.db
        .insertInto('payments')
        .values({ ...row, note: '账户充值', device: 'pc', status: 'PENDING', created_at: now, updated_at: now })
        .execute()
      if (random.chance(0.1)) return // never paid
      const paid = { outTradeNo, tradeNo: `T${outTradeNo}`, amountFen: fen(amountFen), method: 'alipay' }
      const told = await Promise.all(
        [...world.processes, world.processes[0]].map((deps) => attempt((tx) => settlePayment(tx, paid, now), deps.db)),
      )
      credited += told.filter((one) => one === 'credited').length * amountFen
      if (random.chance(0.1)) await acts.payTwice(outTradeNo, amountFen)
    },

    /** Under the same number; an administrator credits it once, however often pressed. */
    async payTwice(outTradeNo: string, amountFen: number) {
      const paid = { outTradeNo, tradeNo: `U${outTradeNo}`, amountFen: fen(amountFen), method: 'alipay' }
      if ((await attempt((tx) => settlePayment(tx, paid, world.now()))) !== 'overpaid') return
      const found = await world.db
        .selectFrom('findings')
        .select('id')
        .where('subject', '=', `${outTradeNo}/${paid.tradeNo}`)
        .executeTakeFirstOrThrow()
      const presses = [1, 2].map(() =>
        attempt(async (tx) => (await creditExtra(tx, administrator, found.id, world.now()), amountFen)),
      )
      for (const given of await Promise.all(presses)) credited += given ?? 0
    },

    async order(user = random.pick(people)): Promise<boolean> {
      const now = world.now()
      const { deps } = world.floor
      const period = random.pick([
        ...often('MONTHLY', 12),
        ...often('QUARTERLY', 3),
        'SEMI_ANNUAL',
        'DAILY',
        'DAILY',
        'HOURLY',
      ])
      const more = random.chance(0.3) ? { cpuCores: 3, memoryGb: 6 } : {}
      const short = period === 'DAILY' || period === 'HOURLY'
      const backups = random.chance(0.4) ? random.between(1, 3) : 0
      const wanted = {
        ...shop.order,
        ...more,
        backups,
        billingPeriod: period,
        autoRenewal: random.chance(short ? 0.4 : 0.75),
      }
      const order = {
        ...placeOrderInput.parse(wanted),
        secrets: Array.from({ length: random.chance(0.1) ? random.between(2, 4) : 1 }, () =>
          deps.vault.seal('Secret-pass-1'),
        ),
      }
      const placed = await attempt((tx) => placeOrder(tx, user, order, now))
      if (placed === null) return false
      const { id } = placed
      if (random.chance(0.05)) return true // never paid
      if (random.chance(0.1)) await acts.changePrices()
      const clicks = Array.from({ length: random.chance(0.2) ? 3 : 1 }, () =>
        attempt((tx) => payOrder(tx, user, { id }, now)),
      )
      // A changed price is shown, then paid.
      if ((await Promise.all(clicks)).every((paid) => paid === null)) {
        await attempt((tx) => repriceOrder(tx, user, id, now))
        await attempt((tx) => payOrder(tx, user, { id }, now))
      }
      return true
    },

    async cancel() {
      const order = await someOrder('PENDING', 'PAID', 'PROCESSING')
      const who = random.chance(0.2) ? administrator : order?.owner
      if (order && who) await attempt((tx) => cancelOrder(tx, who, order.id, world.now()))
    },

    async renew() {
      const order = await someOrder('ACTIVE', 'SUSPENDED')
      if (!order) return
      const { expires_at } = await world.db
        .selectFrom('orders')
        .select('expires_at')
        .where('id', '=', order.id)
        .executeTakeFirstOrThrow()
      // In two tabs that show the same end it is renewed once.
      const seen = { id: order.id, endsAt: expires_at!.toISOString() }
      const tabs = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () =>
        attempt(async (tx) => (await renewAsAsked(tx, order.owner, seen, world.now()), true)),
      )
      if ((await Promise.all(tabs)).filter((done) => done).length > 1) throw new Error(`${order.id} was renewed twice`)
    },

    async leave() {
      const order = await someOrder('ACTIVE')
      const choice = order && { id: order.id, autoRenewal: random.chance(0.3) }
      if (choice) await attempt((tx) => setAutoRenewal(tx, order.owner, choice, world.now()))
    },

    async upgrade() {
      const order = await someOrder('ACTIVE')
      const more = order && { id: order.id, ...random.pick(growths)() }
      if (more) await attempt((tx) => upgradeOrder(tx, order.owner, more, world.now()))
    },

    async askForRefund() {
      const order = await someOrder('ACTIVE', 'SUSPENDED')
      const request = order && { id: order.id, reason: '不再需要' }
      if (request) await attempt((tx) => requestRefund(tx, order.owner, request, world.now()))
    },

    async decideRefunds() {
      const open = await world.db.selectFrom('refund_requests').select('id').where('status', '=', 'PENDING').execute()
      for (const { id } of open) {
        const decide = random.chance(0.7) ? approveRefund : rejectRefund
        await attempt((tx) => decide(tx, administrator, { id, reason: '已审核' }, world.now()))
      }
    },

    /** Each is set up elsewhere, or paid back; what has no room elsewhere, too. */
    async clearLost(hostId: string) {
      for (const { id, refund } of await listLostOrders(world.db, hostId, world.now())) {
        const evacuated =
          random.chance(0.7) && (await attempt((tx) => evacuateOrder(tx, administrator, { id }, world.now())))
        if (evacuated) settledLost.evacuated++
        else if (
          await attempt(async (tx) => (await refundLost(tx, administrator, { id, amount: refund }, world.now()), true))
        )
          settledLost.refunded++
      }
    },

    /**
     * What failed for good is asked for again. A system that was set up wrongly once keeps its disk, so no retry proves
     * it: after some its owner has it made anew.
     */
    async retry() {
      const failed = await world.db
        .selectFrom('jobs as j')
        .innerJoin('servers as s', 's.id', 'j.server_id')
        .select(['j.id', 'j.server_id as serverId', 'j.order_id as orderId', 's.user_id as ownerId'])
        .where('j.kind', '=', 'reinstall')
        .where('j.status', '=', 'FAILED')
        .where('s.install_status', '=', 'FAILED')
        .whereRef('j.generation', '=', 's.generation')
        .orderBy('j.id', 'desc')
        .execute()
      for (const serverId of new Set(failed.map((job) => job.serverId))) {
        const [newest, ...before] = failed.filter((job) => job.serverId === serverId)
        const { id, orderId, ownerId } = newest!
        const owner = people.find((one) => one.id === ownerId)
        if (before.length >= 3 && orderId && owner) await tenants.makeAnew({ serverId, orderId, owner })
        else await attempt((tx) => retryJob(tx, administrator, id, world.now()))
      }
    },

    /** Its owner does something with the machine. */
    async use() {
      const order = await someOrder('ACTIVE', 'ACTIVE', 'SUSPENDED')
      if (order?.serverId) await tenants.use({ serverId: order.serverId, orderId: order.id, owner: order.owner })
    },

    /** To whichever host has room, with its data. */
    async migrate() {
      const serverId = (await someOrder('ACTIVE', 'ACTIVE', 'SUSPENDED'))?.serverId
      if (serverId) await attempt((tx) => migrateServer(tx, administrator, { serverId, hostId: null }, world.now()))
    },

    async administer() {
      const order = await someOrder('ACTIVE', 'ACTIVE', 'SUSPENDED', 'PAID')
      const status = random.pick(['SUSPENDED', 'ACTIVE', 'ACTIVE', 'CANCELLED'] as const)
      if (order) await attempt((tx) => setOrderStatus(tx, administrator, { id: order.id, status }, world.now()))
    },

    async changePrices() {
      const off = random.chance(0.5)
      const change = {
        monthly_fen: fen(random.between(20, 45) * 100),
        has_discount: off,
        discount_percentage: off ? 15 : null,
      }
      await world.db.updateTable('price_groups').set(change).execute()
    },
  }

  return {
    acts,
    refused,
    credited: () => credited,
    settledLost,
    /** With whatever is active now. */
    async tryEverything(work: () => Promise<void>): Promise<string[]> {
      const active = await world.db
        .selectFrom('orders')
        .select(['id', 'user_id', 'server_id'])
        .where('status', '=', 'ACTIVE')
        .where('expires_at', '>', world.now())
        .orderBy('number')
        .limit(20)
        .execute()
      const all = active.map((order) => ({
        orderId: order.id,
        serverId: order.server_id!,
        owner: people.find(({ id }) => id === order.user_id)!,
      }))
      return tenants.tryEverything(all, work)
    },
    administrator: () => administrator,
    async moveIn(count: number) {
      administrator = await join('boss', 'ADMIN')
      for (let n = 0; n < count; n++) people.push(await join(`customer${n}`, 'USER'))
      const { vault } = world.processes[0]
      const input = backupRepositoryInput.parse({ url: '/srv/backups', password: 'Keeps-them-1', version: 0 })
      await inTx(world.db, (tx) => saveRepository(tx, administrator, { vault, now: world.now() }, input))
      await sellMachines(world)
      for (const user of people) await acts.recharge(user, random.between(20, 300) * 100)
    },
  }
}

const often = <T>(what: T, times: number): T[] => Array.from({ length: times }, () => what)

/** With snapshots, backups, a rescue system and a disc. */
async function sellMachines({ db, now }: World): Promise<void> {
  await db
    .updateTable('price_groups')
    .set({ snapshots: 2, most_backups: 4, backup_rate_fen: fen(300) })
    .execute()
  const stamps = { created_at: now(), updated_at: now() }
  const images = [
    { kind: 'rescue', os_name: '救援系统', os_version: '1', file: 'rescue.qcow2' },
    { kind: 'iso', os_name: 'Debian', os_version: '12 安装光盘', file: 'debian-12-netinst.iso' },
  ] as const
  await db
    .insertInto('images')
    .values(images.map((image) => ({ id: randomUUID(), ...image, ...stamps })))
    .execute()
}
