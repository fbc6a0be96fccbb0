import type { JobResult } from '@vps/shared/jobs.contract'
import type { Tx } from '../db/client.js'
import type { Progress } from '../jobs/beat.js'
import { claimJob, findHeldJob, findNextJob, reclaim, type JobRow } from '../jobs/claim.js'
import { finishJob } from '../jobs/finish.js'
import { claimLostLease } from '../jobs/sweep.js'
import { lockOrder } from '../orders/lock-order.js'
import { jobEnded, jobStarted } from './outcomes.js'

/**
 * `hostId` null: our own worker. Orders are locked before their jobs (docs/money.md), so a job is looked at first and
 * taken second.
 */
export async function claimNext(tx: Tx, hostId: string | null, instanceId: string, now: Date): Promise<JobRow | null> {
  const due = await findNextJob(tx, hostId)
  if (!due) return null
  await lockOrderOf(tx, due.id)
  const job = await claimJob(tx, due.id, instanceId, now)
  if (job) await jobStarted(tx, job, now)
  return job
}

/** For a restarted agent's journal. Null when none is its own. */
export async function claimAgain(
  tx: Tx,
  hostId: string,
  instanceId: string,
  jobIds: readonly string[],
  now: Date,
): Promise<JobRow | null> {
  const held = await findHeldJob(tx, hostId, instanceId, jobIds)
  if (!held) return null
  await lockOrderOf(tx, held.id)
  const job = await reclaim(tx, hostId, instanceId, held.id)
  if (job) await jobStarted(tx, job, now)
  return job
}

/** False, and nothing changed, for all but the lease's holder. */
export async function finishWithResult(
  tx: Tx,
  hostId: string | null,
  report: Progress & { result: JobResult },
  now: Date,
): Promise<boolean> {
  await lockOrderOf(tx, report.jobId)
  const ended = await finishJob(tx, hostId, report, now)
  if (ended) await jobEnded(tx, ended, report.result, now)
  return ended !== null
}

/** A try whose lease was lost is over. */
export async function endLostLease(tx: Tx, id: string, now: Date): Promise<void> {
  await lockOrderOf(tx, id)
  const lost = await claimLostLease(tx, id, now)
  if (lost) await jobEnded(tx, lost, null, now)
}

async function lockOrderOf(tx: Tx, jobId: string): Promise<void> {
  const job = await tx.selectFrom('jobs').select(['order_id', 'kind']).where('id', '=', jobId).executeTakeFirst()
  if (job?.order_id && ['install', 'reinstall', 'resize'].includes(job.kind)) await lockOrder(tx, job.order_id)
}
