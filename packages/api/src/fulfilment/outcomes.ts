import type { JobResult } from '@vps/shared/jobs.contract'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import type { JobRow } from '../jobs/claim.js'
import type { Ended } from '../jobs/finish.js'
import { lostLease } from '../jobs/sweep.js'
import { setUpFailed, setUpStarted, setUpSucceeded } from './set-up.js'
import { sizeSettled } from './restore-size.js'
import { upgradeSucceeded } from './upgrade-ends.js'
import { observeJob } from '../servers/drivers.js'

/**
 * The one place where jobs meet orders. In the transaction that moves the job, with the order locked before the job's
 * other rows (docs/money.md).
 */
export async function jobStarted(tx: Tx, job: JobRow, now: Date): Promise<void> {
  if (job.kind === 'install' && job.order_id) await setUpStarted(tx, job.order_id, now)
  await jobProgressed(tx, job)
}

/** Whoever looks at the server or the jobs is told that there is news. */
export async function jobProgressed(tx: Tx, job: Pick<JobRow, 'server_id'>): Promise<void> {
  publish(tx, { shop: 'job' })
  const server = await tx.selectFrom('servers').select('user_id').where('id', '=', job.server_id).executeTakeFirst()
  if (server?.user_id) publish(tx, { user: server.user_id, what: 'job', id: job.server_id })
}

/** `result` is null when the host was lost. */
export async function jobEnded(tx: Tx, { job, outcome }: Ended, result: JobResult | null, now: Date): Promise<void> {
  if (outcome === 'succeeded' && result) await succeeded(tx, job, result, now)
  else if (outcome !== 'retried') await failed(tx, job, result, now)
  await jobProgressed(tx, job)
}

async function succeeded(tx: Tx, job: JobRow, result: JobResult, now: Date): Promise<void> {
  await observeJob(tx, job, result, now)
  if (job.kind === 'install' && job.order_id) await setUpSucceeded(tx, job.order_id, now)
  if (job.kind === 'resize') await upgradeSucceeded(tx, job.id, now)
  if (job.kind === 'resize' || job.kind === 'reinstall') await sizeSettled(tx, job)
}

async function failed(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  await observeJob(tx, job, result, now)
  const reason = result === null ? lostLease : result.ok ? '' : result.message
  if (job.kind === 'install' && job.order_id) await setUpFailed(tx, job.order_id, reason, now)
}
