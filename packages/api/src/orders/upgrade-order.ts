import { jobResult } from '@vps/shared/jobs'
import { fen, formatYuan, divideHalfUp, type Fen } from '@vps/shared/money'
import { orderCan, type Upgrade } from '@vps/shared/orders'
import { quote } from '@vps/shared/pricing'
import type { ServerSpec } from '@vps/shared/servers'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, agent, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { findPriceGroup } from '../catalogue/queries.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { resizePlace, resizeServer } from '../servers/resize.js'
import { postEntry } from '../wallet/post-entry.js'
import { lockOrder, specOf, type OrderRow } from './lock-order.js'

const growing = ['cpuCores', 'memoryGb', 'storageGb', 'bandwidthMbps'] as const

/**
 * What an upgrade costs now: (today's quote of the new − today's quote of the old configuration) x remaining / whole seconds of
 * the running period, rounded half up, at least 0. Refused: less of anything, nothing more, another server group, ssh servers.
 */
export async function planUpgrade(db: Db, order: OrderRow, input: Upgrade, now: Date) {
  const reason = orderCan.upgrade.reason(order)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const from = await findPriceGroup(db, order.price_group_id)
  const to = input.priceGroupId ? await findPriceGroup(db, input.priceGroupId) : from
  if (!from || !to || to.serverGroupId !== from.serverGroupId) fail('UNKNOWN_PRICE_GROUP')
  const before = specOf(order)
  const spec = wantedSpec(
    before,
    to.locked || input.priceGroupId ? { ...to.included, ...(to.locked ? {} : input) } : input,
  )
  refuseLess(before, spec)
  const [old, next] = [quote(from, before, order.period, now), quote(to, spec, order.period, now)]
  if (!old || !next) fail('PERIOD_NOT_SOLD')
  const period = await runningPeriod(db, order, now)
  const difference = Math.max(0, next.amount - old.amount)
  const amount: Fen = divideHalfUp(BigInt(difference) * BigInt(period.remainingSeconds), BigInt(period.seconds))
  return {
    amount,
    periodBefore: old.amount,
    periodAfter: next.amount,
    ...period,
    spec,
    priceGroupId: to.id,
    groupId: to.serverGroupId,
  }
}

function wantedSpec(
  before: ServerSpec,
  wanted: Partial<Record<(typeof growing)[number], number | undefined>>,
): ServerSpec {
  const grown = Object.fromEntries(growing.map((name) => [name, wanted[name] ?? before[name]]))
  return { ...before, ...grown }
}

function refuseLess(before: ServerSpec, after: ServerSpec): void {
  const less = growing.filter((name) => after[name] < before[name])
  if (less.length > 0) {
    fail('INVALID_INPUT', {
      message: '升级只能增加配置',
      errors: Object.fromEntries(less.map((name) => [name, `不能低于当前的 ${before[name]}`])),
    })
  }
  if (growing.every((name) => after[name] === before[name])) fail('INVALID_INPUT', { message: '请选择更高的配置' })
}

async function runningPeriod(db: Db, order: OrderRow, now: Date) {
  const row = await db
    .selectFrom('order_periods')
    .select(['starts_at', 'ends_at'])
    .where('order_id', '=', order.id)
    .where('starts_at', '<=', now)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const starts = row?.starts_at ?? order.activated_at ?? now
  const ends = row?.ends_at ?? order.expires_at ?? now
  const seconds = Math.max(1, Math.round((ends.getTime() - starts.getTime()) / 1000))
  return {
    seconds,
    remainingSeconds: Math.min(seconds, Math.max(0, Math.ceil((ends.getTime() - now.getTime()) / 1000))),
  }
}

/**
 * Charges the difference, takes the room and asks for the resize in one transaction; gives the job's id. The order keeps its
 * old configuration until the resize is done. NO_STOCK, LOCKED, INSUFFICIENT_BALANCE, NOT_SUPPORTED.
 */
export async function upgradeOrder(tx: Tx, user: User, input: Upgrade, now: Date): Promise<string> {
  const order = await lockOrder(tx, input.id, user.id)
  const plan = await planUpgrade(tx, order, input, now)
  await refuseWhileLarger(tx, order.id)
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
  const { jobId, diskBeforeGb } = await resizeServer(
    tx,
    { serverId: order.server_id!, orderId: order.id, askedBy: user.id, spec: plan.spec },
    now,
  )
  await tx
    .insertInto('order_upgrades')
    .values({
      id: upgradeId,
      order_id: order.id,
      job_id: jobId,
      price_group_id: plan.priceGroupId,
      cpu_cores: plan.spec.cpuCores,
      memory_gb: plan.spec.memoryGb,
      storage_gb: plan.spec.storageGb,
      bandwidth_mbps: plan.spec.bandwidthMbps,
      charge_fen: plan.amount,
      disk_before_gb: diskBeforeGb,
      status: 'PENDING',
      created_at: now,
    })
    .execute()
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

/** What the machine of a failed upgrade has is not known until it was brought back. LOCKED. */
async function refuseWhileLarger(tx: Tx, orderId: string): Promise<void> {
  const larger = await tx
    .selectFrom('order_upgrades')
    .select('id')
    .where('order_id', '=', orderId)
    .where('machine_larger', '=', true)
    .executeTakeFirst()
  if (larger) fail('LOCKED')
}

/** The resize is done: the order and its server have the new configuration. */
export async function upgradeSucceeded(tx: Tx, jobId: string, now: Date): Promise<void> {
  const upgrade = await tx
    .selectFrom('order_upgrades')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('status', '=', 'PENDING')
    .forUpdate()
    .executeTakeFirst()
  if (!upgrade) return
  const { cpu_cores, memory_gb, storage_gb, bandwidth_mbps } = upgrade
  const spec = { cpu_cores, memory_gb, storage_gb, bandwidth_mbps }
  const order = await lockOrder(tx, upgrade.order_id)
  await tx
    .updateTable('orders')
    .set({ ...spec, price_group_id: upgrade.price_group_id, updated_at: now })
    .where('id', '=', order.id)
    .execute()
  if (order.server_id)
    await tx
      .updateTable('servers')
      .set({ ...spec, updated_at: now })
      .where('id', '=', order.server_id)
      .execute()
  await tx
    .updateTable('order_upgrades')
    .set({ status: 'DONE', finished_at: now })
    .where('id', '=', upgrade.id)
    .execute()
  publish(tx, { user: order.user_id, what: 'order', id: order.id })
}

/** Upgrades whose resize failed for good or was superseded. Found by the sweep, so that no way of ending a job can forget them. */
export async function findLostUpgrades(db: Db, _now: Date, batch: Batch): Promise<string[]> {
  const lost = await db
    .selectFrom('order_upgrades as u')
    .innerJoin('jobs as j', 'j.id', 'u.job_id')
    .select('u.id')
    .where('u.status', '=', 'PENDING')
    .where('j.status', 'in', ['FAILED', 'SUPERSEDED', 'CANCELLED'])
    .where(outside(batch, 'u.id'))
    .limit(batch.limit)
    .execute()
  return lost.map((upgrade) => upgrade.id)
}

/**
 * The charge of a lost upgrade goes back. The place gets its old size where the machine has it: because the resize never began,
 * or because its last try said so. Else it stays counted at the larger one until the machine was brought back
 * (`restore-size.ts`). A disk may have grown as soon as a resize began, and stays counted so.
 */
export async function reverseUpgrade(tx: Tx, id: string, now: Date): Promise<void> {
  const lost = await tx
    .selectFrom('order_upgrades as u')
    .innerJoin('jobs as j', 'j.id', 'u.job_id')
    .select(['u.id', 'u.order_id', 'u.charge_fen', 'u.disk_before_gb', 'j.attempt', 'j.result'])
    .where('u.id', '=', id)
    .executeTakeFirstOrThrow()
  const order = await lockOrder(tx, lost.order_id)
  const begun = lost.attempt > 0
  const larger = begun && !hasSizeOf(order, lost.result)
  const mine = await tx
    .updateTable('order_upgrades')
    .set({ status: 'REVERSED', machine_larger: larger, finished_at: now })
    .where('id', '=', lost.id)
    .where('status', '=', 'PENDING')
    .returning('id')
    .executeTakeFirst()
  if (!mine) return
  const amount = lost.charge_fen
  const description = `订单 ${order.number} 升级未完成，退回差价`
  const reference = `upgrade:${lost.id}`
  await postEntry(tx, { userId: order.user_id, type: 'REFUND', amount, reference, description, orderId: order.id }, now)
  if (order.server_id && !larger) {
    await resizePlace(tx, order.server_id, specOf(order), begun ? undefined : (lost.disk_before_gb ?? order.storage_gb))
  }
  await recordAudit(
    tx,
    agent,
    { action: 'order.upgrade-reversed', subject: { kind: 'order', id: order.id }, details: { amountFen: amount } },
    now,
  )
  publish(tx, { user: order.user_id, what: 'order', id: order.id })
}

/** Whether the last try of a resize said that the machine has what the order says. */
function hasSizeOf(order: OrderRow, result: unknown): boolean {
  const { data } = jobResult.safeParse(result)
  return data?.size?.cpuCores === order.cpu_cores && data.size.memoryMb === order.memory_gb * 1024
}
