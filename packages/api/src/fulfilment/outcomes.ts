import type { JobResult } from '@vps/shared/jobs.contract'
import type { Tx } from '../db/client.js'
import type { ClaimedRow, JobRow } from '../jobs/claim.js'
import { isOfBefore } from '../jobs/epoch.js'
import type { Ended } from '../jobs/finish.js'
import { whyLost } from '../jobs/sweep.js'
import { tellOwner, tellProgress } from '../jobs/tell-progress.js'
import type { OrderRow } from '../orders/lock-order.js'
import { setUpFailed, setUpStarted, setUpSucceeded } from './set-up.js'
import { sizeSettled } from './restore-size.js'
import { upgradeSucceeded } from './upgrade-ends.js'
import { changeServer } from '../servers/change-server.js'
import { observeJob } from '../servers/drivers.js'

/**
 * The one place where jobs meet orders: in the transaction that moves the job, with the order, locked before the job's
 * other rows (docs/money.md).
 */
export async function jobStarted(tx: Tx, job: ClaimedRow, order: OrderRow | null, now: Date): Promise<void> {
  if (job.kind === 'install' && order) await setUpStarted(tx, order, now)
  tellProgress(tx, job.server_id, job.owner_id)
}

/** `result` null: the host was lost. */
export async function jobEnded(
  tx: Tx,
  { job, outcome }: Ended,
  result: JobResult | null,
  order: OrderRow | null,
  now: Date,
): Promise<void> {
  if (outcome === 'succeeded' && result) await succeeded(tx, job, result, order, now)
  else if (outcome === 'retried') await jobUntold(tx, job, now)
  else await failed(tx, job, result, order, now)
  await tellOwner(tx, job.server_id)
}

/** Called off, or replaced, after a try of it: no other will tell what that had done. Nothing of one that goes on. */
export async function jobUntold(tx: Tx, job: JobRow, now: Date): Promise<void> {
  if (job.status === 'CANCELLED' || job.status === 'SUPERSEDED') await observeJob(tx, job, 'untold', now)
}

async function succeeded(tx: Tx, job: JobRow, result: JobResult, order: OrderRow | null, now: Date): Promise<void> {
  await observeJob(tx, job, result, now)
  if (job.kind === 'install' && order) await setUpSucceeded(tx, order, now)
  if (job.kind === 'resize' && !(await upgradeSucceeded(tx, job.id, now))) return
  if (job.kind === 'resize' || job.kind === 'reinstall') await sizeSettled(tx, job, now)
}

async function failed(tx: Tx, job: JobRow, result: JobResult | null, order: OrderRow | null, now: Date): Promise<void> {
  await observeJob(tx, job, result, now)
  const reason = result === null ? whyLost(job) : result.ok ? '' : result.message
  if (job.kind !== 'install' || !order) return
  if (!(await isOfBefore(tx, job.epoch))) return setUpFailed(tx, order, reason, now)
  // Of before a restored back-up it may have come about, and be in use: else an operator decides (its brake).
  if (!isThere(result)) return
  await changeServer(tx, job.server_id, { install_status: 'COMPLETED' }, now)
  await setUpSucceeded(tx, order, now)
}

/** Its host delivered it before, and has it. */
const isThere = (result: JobResult | null): boolean =>
  result?.ok === false && result.delivered === true && (result.power === 'on' || result.power === 'off')
