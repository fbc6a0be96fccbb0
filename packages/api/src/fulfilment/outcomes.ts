import { jobPayload, type JobResult } from '@vps/shared/jobs'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { noteBootable, noteUnbootable } from '../fleet/unbootable.js'
import type { JobRow } from '../jobs/claim.js'
import { setUpFailed, setUpStarted, setUpSucceeded } from './set-up.js'
import { sizeSettled } from './restore-size.js'
import { upgradeSucceeded } from '../orders/upgrade-order.js'
import { observeResult } from '../servers/outcomes.js'
import { lockOrder } from '../orders/lock-order.js'

/**
 * What happens when an act on a machine starts, ends well, or fails for good: the one place where jobs meet orders. Each
 * runs in the transaction that moves the job. The order is locked before the job's other rows (docs/money.md).
 */
export async function jobStarted(tx: Tx, job: JobRow, now: Date): Promise<void> {
  if (job.kind === 'install' && job.order_id) await setUpStarted(tx, job.order_id, now)
  await tell(tx, job)
}

export async function jobProgressed(tx: Tx, job: { id: string; serverId: string }): Promise<void> {
  await tell(tx, { id: job.id, server_id: job.serverId })
}

/** `result` is null when the host was lost and nobody knows. */
export async function jobSucceeded(tx: Tx, job: JobRow, result: JobResult, now: Date): Promise<void> {
  await observeResult(tx, job, result, now)
  if (job.kind === 'install' && job.order_id) await setUpSucceeded(tx, job.order_id, now)
  await imageBooted(tx, job, now)
  if (job.kind === 'resize') await upgradeSucceeded(tx, job.id, now)
  if (job.kind === 'resize' || job.kind === 'reinstall') await sizeSettled(tx, job)
  await tell(tx, job)
}

export async function jobFailed(
  tx: Tx,
  job: JobRow,
  result: JobResult | null,
  reason: string,
  now: Date,
): Promise<void> {
  await observeResult(tx, job, result, now)
  if (job.host_id && result?.ok === false && result.unbootable)
    await noteUnbootable(tx, job.host_id, result.unbootable, result.message, now)
  if (job.kind === 'install' && job.order_id) await setUpFailed(tx, job.order_id, reason, now)
  await tell(tx, job)
}

/** A machine that was made anew and has answered says the same of its image; one that nobody has asked says nothing. */
async function imageBooted(tx: Tx, job: JobRow, now: Date): Promise<void> {
  if (job.host_id === null || (job.kind !== 'install' && job.kind !== 'reinstall')) return
  const payload = jobPayload.parse(job.payload)
  if (!('machine' in payload) || payload.machine.image.readiness === 'none') return
  await noteBootable(tx, job.host_id, payload.machine.image.file, now)
}

/** Locks the order of an act that may change it before its job is touched: the lock order puts orders first. */
export async function lockOrderOf(tx: Tx, jobId: string): Promise<void> {
  const job = await tx.selectFrom('jobs').select(['order_id', 'kind']).where('id', '=', jobId).executeTakeFirst()
  if (job?.order_id && ['install', 'reinstall', 'resize'].includes(job.kind)) await lockOrder(tx, job.order_id)
}

async function tell(tx: Tx, job: Pick<JobRow, 'id' | 'server_id'>): Promise<void> {
  publish(tx, { shop: 'job' })
  const server = await tx.selectFrom('servers').select('user_id').where('id', '=', job.server_id).executeTakeFirst()
  if (server?.user_id) publish(tx, { user: server.user_id, what: 'job', id: job.server_id })
}
