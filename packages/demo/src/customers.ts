import type { User } from '@vps/api/actor'
import { signUp } from '@vps/api/accounts/sign-up'
import { addNote } from '@vps/api/accounts/user-notes'
import type { Tx } from '@vps/api/db/client'
import { cancelDueUnpaid } from '@vps/api/orders/cancel-unpaid'
import { expireOrder } from '@vps/api/orders/expire-order'
import { pageRefunds } from '@vps/api/orders/all-orders'
import { payOrder } from '@vps/api/orders/pay-order'
import { readOrder } from '@vps/api/orders/queries'
import { approveRefund, rejectRefund, requestRefund } from '@vps/api/orders/refunds'
import { renewOrSuspend, renewRecharged } from '@vps/api/orders/renew-due'
import { upgradeOrder } from '@vps/api/orders/upgrade-order'
import { adjustBalance } from '@vps/api/wallet/adjust-balance'
import { readWallet } from '@vps/api/wallet/queries'
import type { OrderInFen } from '@vps/shared/orders.contract'
import { graceHours, unpaidHours } from '@vps/shared/deadlines'
import { fen } from '@vps/shared/money'
import { images, plans } from './catalogue.js'
import { createDice, type Dice } from './dice.js'
import { day, hour, later, place, type Past } from './orders.js'
import { recharge, type Recharge } from './recharges.js'

const minute = hour / 60
const names = (
  'linyue chenhao wangxi zhaolei liuyang sunjie zhoumin wukai zhengbo fengyi hanxue caoran xiongwei panlin dengtao ' +
  'guoqiang maxin luodan liangchen songjia tangning xufei hepeng dongrui yuanzhi yuhang jiangbei duanyu qianwen lujing ' +
  'studio_17 aurora_dev blue_whale bamboo_net river_soft maple_ops nightowl cloudtea northstar tinyfox'
).split(' ')
const year = 365 * day

type Person = Past & { tx: Tx; user: User; dice: Dice; isNewest: boolean }

/** Drawn from evenly: what is bought more often stands here more often. */
const bought = [
  plans.hongKongStarter,
  plans.hongKongStarter,
  plans.hongKongStandard,
  plans.hongKongStandard,
  plans.shanghaiStandard,
  plans.shanghaiBackup,
  plans.tokyoLight,
  plans.tokyoLight,
  plans.tokyoCompute,
  plans.singaporeStandard,
]
const growing = new Set<string>([
  plans.hongKongStandard,
  plans.shanghaiStandard,
  plans.tokyoCompute,
  plans.singaporeStandard,
])
/** Every plan has the first of them. */
const systemsEverywhere = 3
const periods = ['MONTHLY', 'MONTHLY', 'MONTHLY', 'MONTHLY', 'QUARTERLY', 'ANNUAL'] as const
const methods = ['alipay', 'alipay', 'alipay', 'wxpay', 'wxpay', 'qqpay'] as const

/** A year of other customers, more of them towards today; the same for the same day. */
export function planCustomers(tx: Tx, past: Past, count: number, passwordHash: string): void {
  for (let n = 0; n < count; n++) {
    const dice = createDice(n + 1)
    const joined = later(past.now, -5 * hour - year * (1 - Math.sqrt((n + dice.roll()) / count)))
    past.timeline.add(joined, (at) => join(tx, past, { n, dice, passwordHash, isNewest: n === count - 1 }, at))
  }
}

type Newcomer = { n: number; dice: Dice; passwordHash: string; isNewest: boolean }

async function join(tx: Tx, past: Past, { n, dice, passwordHash, isNewest }: Newcomer, at: Date): Promise<void> {
  const name = names[n % names.length] ?? 'customer'
  const username = n < names.length ? name : `${name}_${n}`
  const visitor = { address: `198.51.100.${1 + (n % 250)}`, userAgent: null }
  const { userId } = await signUp(tx, { username, email: `${username}@example.com`, passwordHash, visitor }, at)
  const user: User = { id: userId, username, role: 'USER', sessionId: userId, address: visitor.address }
  const person = { ...past, tx, user, dice, isNewest }
  const servers = dice.of([1, 2, 2, 3, 4, 5])
  for (let server = 0; server < servers; server++) {
    const when = later(at, server === 0 ? dice.between(4, 50) * minute : dice.between(10, 150) * day)
    past.timeline.add(when, (then) => buy(person, then))
  }
  if (dice.roll() < 0.12) past.timeline.add(later(at, dice.between(2, 30) * day), (then) => talk(person, then))
}

async function talk({ tx, admin, user, dice }: Person, at: Date): Promise<void> {
  const body = dice.of(['来信询问备案流程，已答复。', '电话沟通：计划下月增购两台。', '反馈线路延迟，已换线并致歉。'])
  await addNote(tx, admin, { userId: user.id, body }, at)
  if (dice.roll() < 0.5)
    await adjustBalance(tx, admin, { userId: user.id, amount: fen(2_000), reason: '线路故障补偿' }, later(at, minute))
}

async function buy(person: Person, at: Date): Promise<void> {
  const { tx, user, dice, hosts, timeline, isNewest } = person
  const priceGroup = dice.of(bought)
  const { osName, osVersion } = dice.of(images.slice(0, systemsEverywhere))
  const autoRenewal = dice.roll() < 0.8
  const wanted = { priceGroup, period: dice.of(periods), autoRenewal, os: [osName, osVersion] as const }
  const { id, amount } = await place(tx, person, user, wanted, at)
  if (!isNewest && dice.roll() < 0.07)
    return timeline.add(later(at, unpaidHours * hour), (then) => cancelDueUnpaid(tx, id, then))
  const paid = later(at, dice.between(1, 12) * minute)
  timeline.add(paid, async (then) => {
    await topUp(person, amount, then)
    await payOrder(tx, user, { id }, later(then, minute))
    await hosts.work(later(then, minute))
    await live(person, { id, priceGroup }, then)
  })
}

async function live(person: Person, order: { id: string; priceGroup: string }, at: Date): Promise<void> {
  const { tx, user, dice, hosts, timeline, now, isNewest } = person
  await planRenewal(person, order.id, at)
  // Still open today.
  if (isNewest) return timeline.add(later(now, -hour), (then) => askBack(person, order.id, then))
  if (dice.roll() < 0.08)
    return timeline.add(later(at, dice.between(20, 130) * hour), (then) => askBack(person, order.id, then))
  if (!growing.has(order.priceGroup) || dice.roll() > 0.2) return
  timeline.add(later(at, dice.between(8, 26) * day), async (then) => {
    const { view } = await readOrder(tx, { id: user.id, isAdmin: false }, { id: order.id }, then)
    if (view.status !== 'ACTIVE' || view.billingPeriod !== 'MONTHLY') return
    await topUp(person, fen(20_000), then)
    const more = { cpuCores: view.cpuCores + 2, memoryGb: view.memoryGb + 4 }
    await upgradeOrder(tx, user, { id: order.id, ...more }, later(then, minute))
    await hosts.work(later(then, minute))
  })
}

async function planRenewal(person: Person, id: string, at: Date): Promise<void> {
  const { tx, user, dice, hosts, timeline, now } = person
  const { view } = await readOrder(tx, { id: user.id, isAdmin: false }, { id }, at)
  if (view.expiresAt === null) return
  const ends = new Date(view.expiresAt)
  if (view.status === 'SUSPENDED') return planGrace(person, view, ends)
  if (view.status !== 'ACTIVE' || ends > now) return
  const remembers = dice.roll() < 0.93
  if (view.autoRenewal && remembers)
    timeline.add(later(ends, -dice.between(2, 60) * hour), (then) => topUp(person, view.amount, then))
  timeline.add(ends, async (then) => {
    await renewOrSuspend(tx, id, then)
    await hosts.work(then)
    await planRenewal(person, id, then)
  })
}

/** Some pay in time; the others' servers go. */
function planGrace(person: Person, order: OrderInFen, ends: Date): void {
  const { tx, hosts, timeline, dice } = person
  const id = order.id
  if (order.autoRenewal && dice.roll() < 0.6)
    return timeline.add(later(ends, dice.between(3, 50) * hour), async (then) => {
      await topUp(person, order.amount, then)
      await renewRecharged(tx, id, later(then, minute))
      await hosts.work(later(then, minute))
      await planRenewal(person, id, later(then, minute))
    })
  timeline.add(later(ends, graceHours * hour), async (then) => {
    await expireOrder(tx, id, then)
    await hosts.work(then)
  })
}

/** Up to a balance of `needed`; some first tries are given up. */
async function topUp({ tx, user, dice }: Person, needed: number, at: Date): Promise<void> {
  const balance = (await readWallet(tx, user.id))?.balance ?? 0
  if (balance >= needed) return
  const yuan = Math.ceil((needed - balance) / 100 / 50) * 50 + dice.of([0, 0, 50, 100])
  const method = dice.of(methods)
  const attempt = (fate: Recharge['fate'], then: Date) => recharge(tx, user, { yuan, method, fate }, then)
  if (dice.roll() < 0.06) await attempt(dice.of(['cancelled', 'refused'] as const), later(at, -5 * minute))
  await attempt('paid', at)
}

/** Decided the day after: yesterday's are still open. */
async function askBack({ tx, admin, user, dice, hosts, timeline }: Person, id: string, at: Date): Promise<void> {
  const { view } = await readOrder(tx, { id: user.id, isAdmin: false }, { id }, at)
  if (view.status !== 'ACTIVE' || view.refundableUntil === null) return
  const reason = dice.of(['线路不适合我的用户', '买错了地区', '项目取消，不再需要'])
  await requestRefund(tx, user, { id, reason }, at)
  timeline.add(later(at, dice.between(2, 26) * hour), async (then) => {
    const { content } = await pageRefunds(tx, { status: 'PENDING', page: 0, size: 100 }, then)
    const request = content.find(({ orderId }) => orderId === id)?.id ?? ''
    if (dice.roll() < 0.25) return rejectRefund(tx, admin, { id: request, reason: '已超出公平使用范围' }, then)
    await approveRefund(tx, admin, { id: request, reason: '符合 7 天退款条件' }, then)
    await hosts.work(then)
  })
}
