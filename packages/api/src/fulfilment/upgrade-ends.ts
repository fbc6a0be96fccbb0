import { setUpMinutes } from '@vps/shared/deadlines'
import { jobResult } from '@vps/shared/jobs.contract'
import { hasEnded } from '@vps/shared/orders'
import { agent, timer, type Actor } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { lockServerOfAhead } from '../jobs/lock-server-of.js'
import { giveUpQueued } from '../jobs/sweep.js'
import { lockOrder, specOf, type OrderRow } from '../orders/lock-order.js'
import { applyUpgrade, cancelUpgrade } from '../orders/upgrades.js'
import { addressesOfUpgrade, dropAddresses, markInGuest } from '../fleet/added-addresses.js'
import { resizePlace } from '../fleet/placements.js'
import { changeServer } from '../servers/change-server.js'
import { postEntry } from '../wallet/post-entry.js'

/**
 * The charge goes back if the order has ended. False: taken back, as an agent of before addresses could be added left them out.
 */
export async function upgradeSucceeded(tx: Tx, jobId: string, now: Date): Promise<boolean> {
  const upgrade = await tx
    .selectFrom('order_upgrades as u')
    .innerJoin('jobs as j', 'j.id', 'u.job_id')
    .selectAll('u')
    .select(['j.result', 'j.placement_id'])
    .where('u.job_id', '=', jobId)
    .where('u.status', '=', 'PENDING')
    .forUpdate('u')
    .executeTakeFirst()
  if (!upgrade) return true
  const order = await lockOrder(tx, upgrade.order_id)
  const added = await addressesOfUpgrade(tx, upgrade.id)
  const result = jobResult.safeParse(upgrade.result).data
  const isWhole = added.every((address) => result?.admitted?.includes(address))
  if (hasEnded(order.status) || !isWhole) {
    await reverseUpgrade(tx, upgrade.id, now, agent)
    return isWhole
  }
  await applyUpgrade(tx, upgrade, now)
  if (order.server_id) {
    const { cpu_cores, memory_gb, storage_gb, bandwidth_mbps } = upgrade
    await changeServer(tx, order.server_id, { cpu_cores, memory_gb, storage_gb, bandwidth_mbps }, now)
  }
  if (added.length > 0 && result?.ok && upgrade.placement_id)
    await markInGuest(tx, upgrade.placement_id, result.inGuest?.taken ?? [])
  publish(tx, { user: order.user_id, what: 'order', id: order.id })
  return true
}

const latestAsked = (now: Date) => new Date(now.getTime() - setUpMinutes * 60_000)

function waitingUpgrades(db: Db, now: Date) {
  return db
    .selectFrom('order_upgrades as u')
    .innerJoin('jobs as j', 'j.id', 'u.job_id')
    .select(['u.id', 'u.order_id', 'j.id as jobId'])
    .where('u.status', '=', 'PENDING')
    .where('u.created_at', '<=', latestAsked(now))
    .where('j.status', '=', 'QUEUED')
}

/** Paid longer ago than a set-up may take, and nobody is at it: its host may not come back. */
export async function findWaitingUpgrades(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const waiting = await waitingUpgrades(db, now).where(outside(batch, 'u.id')).limit(batch.limit).execute()
  return waiting.map((upgrade) => upgrade.id)
}

/** The charge goes back, and the host is not asked any more. */
export async function giveUpWaiting(tx: Tx, id: string, now: Date): Promise<void> {
  const waiting = await waitingUpgrades(tx, now).where('u.id', '=', id).executeTakeFirst()
  if (!waiting) return
  await lockOrder(tx, waiting.order_id)
  await lockServerOfAhead(tx, waiting.jobId)
  if (await giveUpQueued(tx, waiting.jobId, now)) await reverseUpgrade(tx, id, now)
}

/** In a sweep, so that no way of ending a job forgets them. */
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
 * The charge goes back. The place gets its old size and gives addresses back if the resize never began or its last try
 * said so, else, and where the bandwidth grew, only after `restore-size.ts`.
 */
export async function reverseUpgrade(tx: Tx, id: string, now: Date, by: Actor = timer): Promise<void> {
  const lost = await tx
    .selectFrom('order_upgrades as u')
    .innerJoin('jobs as j', 'j.id', 'u.job_id')
    .select(['u.id', 'u.order_id', 'u.charge_fen', 'u.disk_before_gb', 'u.bandwidth_mbps'])
    .select(['j.id as jobId', 'j.attempt', 'j.result'])
    .where('u.id', '=', id)
    .executeTakeFirstOrThrow()
  const order = await lockOrder(tx, lost.order_id)
  await lockServerOfAhead(tx, lost.jobId)
  const begun = lost.attempt > 0
  const added = await addressesOfUpgrade(tx, lost.id)
  // Nobody tells the bandwidth.
  const isWider = lost.bandwidth_mbps !== order.bandwidth_mbps
  const larger = begun && (isWider || !hasSizeOf(order, lost.result) || !hasNoneOf(added, lost.result))
  if (!(await cancelUpgrade(tx, lost.id, larger, now))) return
  const amount = lost.charge_fen
  const description = `订单 ${order.number} 升级未完成，退回差价`
  const reference = `upgrade:${lost.id}`
  await postEntry(tx, { userId: order.user_id, type: 'REFUND', amount, reference, description, orderId: order.id }, now)
  if (!larger) await dropAddresses(tx, [lost.id], now)
  if (order.server_id && !larger) {
    await resizePlace(tx, order.server_id, specOf(order), begun ? undefined : (lost.disk_before_gb ?? order.storage_gb))
  }
  await recordAudit(
    tx,
    by,
    { action: 'order.upgrade-reversed', subject: { kind: 'order', id: order.id }, details: { amountFen: amount } },
    now,
  )
  publish(tx, { user: order.user_id, what: 'order', id: order.id })
}

function hasNoneOf(added: readonly string[], result: unknown): boolean {
  const { data } = jobResult.safeParse(result)
  return added.every((address) => data?.admitted?.includes(address) === false)
}

function hasSizeOf(order: OrderRow, result: unknown): boolean {
  const { data } = jobResult.safeParse(result)
  return data?.size?.cpuCores === order.cpu_cores && data.size.memoryMb === order.memory_gb * 1024
}
