import type { JobResult } from '@vps/shared/jobs.contract'
import { migrationKinds } from '@vps/shared/cold-migrations'
import { jobKinds } from '@vps/shared/jobs'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { perhapsLast } from '../findings/findings.js'
import { hasNoOther } from '../findings/queries.js'
import type { Progress } from '../jobs/beat.js'
import { claimJob, findHeldJob, findNextJob, reclaim, type ClaimedRow, type DueJob } from '../jobs/claim.js'
import { finishJob } from '../jobs/finish.js'
import { isMigrating } from '../jobs/is-migrating.js'
import { lockServerOfAhead } from '../jobs/lock-server-of.js'
import { endLost, giveUpQueued } from '../jobs/sweep.js'
import { lockOrderAhead, type OrderRow } from '../orders/lock-order.js'
import { jobEnded, jobStarted } from './outcomes.js'

/** `hostId` null: our own worker. */
export async function claimNext(
  tx: Tx,
  hostId: string | null,
  instanceId: string,
  now: Date,
): Promise<ClaimedRow | null> {
  const due = await findNextJob(tx, hostId)
  return due && claimDue(tx, due, instanceId, now)
}

/**
 * Null where another was quicker, or what was to be cleaned may be all that is left by now. Orders are locked before
 * jobs (docs/money.md): a job is looked at first, taken second.
 */
export async function claimDue(tx: Tx, due: DueJob, instanceId: string, now: Date): Promise<ClaimedRow | null> {
  if (due.kind === 'destroy' && (await isPerhapsLast(tx, due.id))) {
    await giveUpQueued(tx, due.id, now, perhapsLast)
    return null
  }
  const order = await lockOrderOf(tx, due)
  const job = await claimJob(tx, due.id, instanceId, now)
  if (job) await jobStarted(tx, job, order(), now)
  return job
}

/** Whether it cleans up a stray, asked for while its server was seen elsewhere: its host may have been away since. */
async function isPerhapsLast(tx: Tx, jobId: string): Promise<boolean> {
  const stray = await tx
    .selectFrom('jobs as j')
    .select(hasNoOther(sql.ref('j.server_id')).as('is'))
    .where('j.id', '=', jobId)
    .where('j.placement_id', 'is', null)
    .executeTakeFirst()
  return stray?.is === true
}

/** For a restarted agent's journal. Null when none is its own. */
export async function claimAgain(
  tx: Tx,
  hostId: string,
  instanceId: string,
  jobIds: readonly string[],
  now: Date,
): Promise<ClaimedRow | null> {
  const held = await findHeldJob(tx, hostId, instanceId, jobIds)
  if (!held) return null
  const order = await lockOrderOf(tx, held)
  const job = await reclaim(tx, hostId, instanceId, held.id)
  if (job) await jobStarted(tx, job, order(), now)
  return job
}

/**
 * False, and nothing changed, for all but the lease's holder. UNAVAILABLE for a later version's act: told again, it comes
 * to its process.
 */
export async function finishWithResult(
  tx: Tx,
  hostId: string | null,
  report: Progress & { result: JobResult },
  now: Date,
): Promise<boolean> {
  const job = await findJob(tx, report.jobId)
  if (job && !jobKinds.includes(job.kind)) fail('UNAVAILABLE')
  const order = await lockOrderAtEnd(tx, job)
  await lockServerOfAhead(tx, report.jobId)
  const ended = await finishJob(tx, hostId, report, now)
  if (ended) await jobEnded(tx, ended, report.result, order(), now)
  return ended !== null
}

/** A try whose lease was lost is over. */
export async function endLostLease(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockOrderAtEnd(tx, await findJob(tx, id))
  await lockServerOfAhead(tx, id)
  const lost = await endLost(tx, id, now)
  if (lost) await jobEnded(tx, lost, null, order(), now)
}

/** With what is sent next; null where it concerns no order. */
async function lockOrderOf(tx: Tx, job: DueJob | undefined): Promise<() => OrderRow | null> {
  if (!job?.order_id || !['install', 'reinstall', 'resize'].includes(job.kind)) return () => null
  return lockOrderAhead(tx, job.order_id)
}

/** A migration's next step depends on its order, too. */
async function lockOrderAtEnd(tx: Tx, job: DueJob | undefined): Promise<() => OrderRow | null> {
  if (job?.order_id && migrationKinds.includes(job.kind) && (await isOfMigration(tx, job.id)))
    return lockOrderAhead(tx, job.order_id)
  return lockOrderOf(tx, job)
}

async function isOfMigration(tx: Tx, jobId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('jobs as j')
    .select(isMigrating('j.server_id').as('is'))
    .where('j.id', '=', jobId)
    .executeTakeFirst()
  return row?.is === true
}

function findJob(tx: Tx, id: string): Promise<DueJob | undefined> {
  return tx.selectFrom('jobs').select(['id', 'order_id', 'kind']).where('id', '=', id).executeTakeFirst()
}
