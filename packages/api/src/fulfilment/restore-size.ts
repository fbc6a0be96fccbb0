import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import type { JobRow } from '../jobs/claim.js'
import { dropAddresses } from '../fleet/added-addresses.js'
import { heldPlace, resizePlace } from '../fleet/placements.js'
import { resizeBack } from '../servers/kvm/resize.js'
import { finishSize } from '../orders/upgrades.js'
import { lockDueOrder, lockOrder, specOf } from '../orders/lock-order.js'
import { servedStatuses } from '@vps/shared/orders'
import { isAlive } from '../fleet/is-alive.js'
import { isBusyHere } from '../jobs/is-open.js'

const pauseMinutes = 10

/**
 * Given back after their resize began, so the place counts the larger size. Due with the host there and nothing open or
 * asked lately, or when the machine left the place.
 */
export async function findEnlarged(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await enlarged(db, now).where(outside(batch, 'u.id')).limit(batch.limit).execute()
  return due.map((upgrade) => upgrade.id)
}

/** Asks the host for the order's size. */
export async function restoreSize(tx: Tx, id: string, now: Date): Promise<void> {
  const upgrade = await enlarged(tx, now).where('u.id', '=', id).executeTakeFirst()
  if (!upgrade) return
  if (!upgrade.held) {
    await finishSize(tx, upgrade.order_id)
    return
  }
  const order = await lockDueOrder(tx, upgrade.order_id, ...servedStatuses)
  const still = await enlarged(tx, now).where('u.id', '=', id).executeTakeFirst()
  if (!order?.server_id || !still?.held) return
  const resize = { serverId: order.server_id, orderId: order.id, askedBy: null, spec: specOf(order) }
  const jobId = await resizeBack(tx, resize, now)
  const subject = { kind: 'server', id: order.server_id }
  await recordAudit(tx, timer, { action: 'server.resize-back', subject, details: { jobId } }, now)
}

/**
 * The place counts the known size: a reinstall makes a disk of the ordered size, a resize leaves a grown one. The order
 * must be locked.
 */
export async function sizeSettled(tx: Tx, job: JobRow, now: Date): Promise<void> {
  if (!job.order_id) return
  const lost = await finishSize(tx, job.order_id)
  const order = await lockOrder(tx, job.order_id)
  // Where it left its place, they go with that.
  if (await heldPlace(tx, job.server_id).executeTakeFirst()) await dropAddresses(tx, lost, now)
  if (job.kind === 'reinstall') await resizePlace(tx, job.server_id, specOf(order), order.storage_gb)
  else if (lost.length > 0) await resizePlace(tx, job.server_id, specOf(order))
}

function enlarged(db: Db, now: Date) {
  const lately = new Date(now.getTime() - pauseMinutes * 60_000)
  return db
    .selectFrom('order_upgrades as u')
    .innerJoin('jobs as f', 'f.id', 'u.job_id')
    .innerJoin('placements as p', 'p.id', 'f.placement_id')
    .innerJoin('host_heartbeats as h', 'h.host_id', 'p.host_id')
    .select((eb) => ['u.id', 'u.order_id', eb('p.state', '=', 'held').as('held')])
    .where('u.machine_larger', '=', true)
    .where((eb) =>
      eb.or([
        eb('p.state', '<>', 'held'),
        eb.and([
          isAlive('h'),
          eb.not(
            eb.exists(
              eb
                .selectFrom('jobs as j')
                .select('j.id')
                .whereRef('j.server_id', '=', 'f.server_id')
                .where((open) =>
                  open.or([
                    isBusyHere('j'),
                    open.and([
                      open('j.kind', '=', 'resize'),
                      open('j.created_at', '>', open.ref('f.created_at')),
                      open('j.created_at', '>', lately),
                    ]),
                  ]),
                ),
            ),
          ),
        ]),
      ]),
    )
    .orderBy('u.id')
}
