import { fen, formatYuan, divideHalfUp, type Fen } from '@vps/shared/money'
import { orderCan } from '@vps/shared/orders'
import type { Upgrade } from '@vps/shared/orders.contract'
import { quote } from '@vps/shared/pricing'
import type { OrderedSpec } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { findOwnPriceGroup, findPriceGroup } from '../catalogue/queries.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { resizeServer } from '../servers/kvm/resize.js'
import { postEntry } from '../wallet/post-entry.js'
import { lockOrder, specOf, type OrderRow } from './lock-order.js'
import { must } from '../must.js'
import { refuseOtherThan, refuseUnsoldBackups } from './price.js'
import { refundWaits } from './refund-waits.js'
import { isLost } from './renew-order.js'
import { applyUpgrade, refuseWhileGrowing } from './upgrades.js'

const ofMachine = ['cpuCores', 'memoryGb', 'storageGb', 'bandwidthMbps', 'ipCount'] as const
const growing = [...ofMachine, 'backups'] as const

/**
 * (today's quote of the new − of the old configuration) x seconds paid and left / seconds of the running period,
 * rounded half up, at least 0. Refused: less of anything, nothing more, another group, ssh servers, REFUND_OPEN, other
 * than a plan has it fixed; what is off sale may be left, not grown.
 */
export async function planUpgrade(db: Db, order: OrderRow, input: Upgrade, now: Date) {
  const reason = orderCan.upgrade.reason(order)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  // No timer has ended it yet: no time is paid.
  if (must(order.expires_at) <= now) fail('MOVE_NOT_ALLOWED', { message: text.renewFirst })
  if (await isLost(db, order.id)) fail('MOVE_NOT_ALLOWED', { message: text.onLostHost })
  // What it pays for time not begun would not come back.
  if (await refundWaits(db, order.id)) fail('REFUND_OPEN')
  const from = await findOwnPriceGroup(db, order.price_group_id)
  const to = await findPriceGroup(db, input.priceGroupId ?? order.price_group_id)
  if (!from || !to || to.serverGroupId !== from.serverGroupId) fail('UNKNOWN_PRICE_GROUP')
  const before = specOf(order)
  const isOther = to.id !== from.id
  // Addresses bought beyond what another group includes stay. Its own, fixed, stays as bought.
  const included = isOther ? { ...to.included, ipCount: Math.max(before.ipCount, to.included.ipCount) } : before
  if (to.locked) refuseOtherThan(included, input)
  const machine = to.locked ? included : isOther ? { ...included, ...input } : input
  const spec = wantedSpec(before, { ...machine, backups: input.backups })
  refuseLess(before, spec)
  if (spec.backups > before.backups) refuseUnsoldBackups(to, spec.backups)
  const [old, next] = [quote(from, before, order.period, now), quote(to, spec, order.period, now)]
  if (!old || !next) fail('PERIOD_NOT_SOLD')
  const period = await paidTime(db, order, now)
  const difference = Math.max(0, next.amount - old.amount)
  const amount: Fen = divideHalfUp(BigInt(difference) * BigInt(period.remainingSeconds), BigInt(period.seconds))
  return {
    amount,
    periodBefore: old.amount,
    periodAfter: next.amount,
    ...period,
    spec,
    moreAddresses: spec.ipCount - before.ipCount,
    /** More backups alone change nothing on its host. */
    isOfMachine: isOther || ofMachine.some((name) => spec[name] !== before[name]),
    priceGroupId: to.id,
    groupId: to.serverGroupId,
  }
}

type Spec = Required<OrderedSpec>

function wantedSpec(before: Spec, wanted: Partial<Record<(typeof growing)[number], number | undefined>>): Spec {
  const grown = Object.fromEntries(growing.map((name) => [name, wanted[name] ?? before[name]]))
  return { ...before, ...grown }
}

function refuseLess(before: Spec, after: Spec): void {
  const less = growing.filter((name) => after[name] < before[name])
  if (less.length > 0) {
    fail('INVALID_INPUT', {
      message: '升级只能增加配置',
      errors: Object.fromEntries(less.map((name) => [name, `不能低于当前的 ${before[name]}`])),
    })
  }
  if (growing.every((name) => after[name] === before[name])) fail('INVALID_INPUT', { message: '请选择更高的配置' })
}

/** All paid time grows, renewals in advance too: it may be more than a period (decision 0121). */
async function paidTime(db: Db, order: OrderRow, now: Date) {
  const row = await db
    .selectFrom('order_periods')
    .select(['starts_at', 'ends_at'])
    .select(({ selectFrom }) =>
      selectFrom('order_periods as p')
        .select((each) => each.fn.max('p.seq').as('last'))
        .where('p.order_id', '=', order.id)
        .as('periodsPaid'),
    )
    .where('order_id', '=', order.id)
    .where('starts_at', '<=', now)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const starts = row?.starts_at ?? order.activated_at ?? now
  const ends = row?.ends_at ?? order.expires_at ?? now
  return {
    periodsPaid: row?.periodsPaid ?? 0,
    seconds: Math.max(1, Math.round((ends.getTime() - starts.getTime()) / 1000)),
    remainingSeconds: Math.max(0, Math.ceil(((order.expires_at ?? ends).getTime() - now.getTime()) / 1000)),
  }
}

/**
 * Charge, room and resize job in one transaction; gives the job's id. The configuration changes when done; more backups
 * alone at once, without a job. NO_STOCK, LOCKED, INSUFFICIENT_BALANCE, NOT_SUPPORTED; PRICE_CHANGED if dearer than
 * agreed.
 */
export async function upgradeOrder(
  tx: Tx,
  user: User,
  { amount: agreed, ...input }: Upgrade & { amount?: Fen | undefined },
  now: Date,
): Promise<string | null> {
  const order = await lockOrder(tx, input.id, user.id)
  const plan = await planUpgrade(tx, order, input, now)
  if (agreed !== undefined && plan.amount > agreed) fail('PRICE_CHANGED')
  if (plan.isOfMachine) await refuseWhileLarger(tx, order.id)
  else await refuseWhileGrowing(tx, order.id)
  const upgradeId = uuidv7()
  const description = `升级订单 ${order.number} 的配置（${formatYuan(plan.amount)}）`
  const reference = `upgrade:${upgradeId}`
  await postEntry(
    tx,
    {
      userId: user.id,
      type: 'ORDER_PAYMENT',
      amount: fen(-plan.amount),
      reference,
      description,
      orderId: order.id,
    },
    now,
  )
  const resize = { serverId: must(order.server_id), orderId: order.id, askedBy: user.id, spec: plan.spec }
  const { jobId, diskBeforeGb } = plan.isOfMachine
    ? await resizeServer(tx, { ...resize, added: { upgradeId, count: plan.moreAddresses } }, now)
    : { jobId: null, diskBeforeGb: null }
  const upgrade = await tx
    .insertInto('order_upgrades')
    .values({
      id: upgradeId,
      order_id: order.id,
      job_id: jobId,
      backups: plan.spec.backups,
      price_group_id: plan.priceGroupId,
      cpu_cores: plan.spec.cpuCores,
      memory_gb: plan.spec.memoryGb,
      storage_gb: plan.spec.storageGb,
      bandwidth_mbps: plan.spec.bandwidthMbps,
      ip_count: plan.spec.ipCount,
      charge_fen: plan.amount,
      period_fen: plan.periodAfter,
      periods_paid: plan.periodsPaid,
      disk_before_gb: diskBeforeGb,
      status: jobId === null ? 'DONE' : 'PENDING',
      created_at: now,
      finished_at: jobId === null ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (jobId === null) await applyUpgrade(tx, upgrade, now)
  const details = { amountFen: plan.amount, spec: plan.spec }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'order.upgrade', subject: { kind: 'order', id: order.id }, details },
    now,
  )
  publish(tx, { user: user.id, what: 'order', id: order.id })
  return jobId
}

/** LOCKED while the size after a failed upgrade is unknown. */
async function refuseWhileLarger(tx: Tx, orderId: string): Promise<void> {
  const larger = await tx
    .selectFrom('order_upgrades')
    .select('id')
    .where('order_id', '=', orderId)
    .where('machine_larger', '=', true)
    .executeTakeFirst()
  if (larger) fail('LOCKED')
}
