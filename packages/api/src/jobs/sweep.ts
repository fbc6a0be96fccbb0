import { sql } from 'kysely'
import { jobKinds } from '@vps/shared/jobs'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import type { JobRow } from './claim.js'
import { requeue, type Ended } from './finish.js'
import { withLine } from './log-line.js'
import { tellOwner } from './tell-progress.js'

const lostLease = '宿主机失去联系'
const brokenOff = '操作中断，没有得到结果'

/** Why a job without a result is over: a dedicated server has no host. */
export const whyLost = (job: Pick<JobRow, 'host_id'>) => (job.host_id === null ? brokenOff : lostLease)

/** By the database's clock. */
export async function findLostLeases(db: Db, _now: Date, batch: Batch): Promise<string[]> {
  const lost = await db
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'RUNNING')
    .where('kind', 'in', jobKinds) // a later version's have an end that its processes know
    .where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .where(outside(batch, 'id'))
    .orderBy('lease_until')
    .limit(batch.limit)
    .execute()
  return lost.map((job) => job.id)
}

/**
 * Queued again, or failed after the last try. Null when someone was faster. The caller locks what precedes a job
 * (docs/money.md).
 */
export async function endLost(tx: Tx, id: string, now: Date): Promise<Ended | null> {
  const job = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .forUpdate()
    .executeTakeFirst()
  if (!job) return null
  const error = whyLost(job)
  if (job.attempt < job.max_attempts && !job.abort_requested) {
    return { job: await requeue(tx, job, { error, result: null }), outcome: 'retried' }
  }
  await tx
    .updateTable('jobs')
    .set({
      status: 'FAILED',
      error,
      result: null,
      finished_at: now,
      lease_until: null,
      log: withLine(error),
    })
    .where('id', '=', job.id)
    .execute()
  return { job, outcome: 'failed' }
}

/** Nobody began it in time. False where it runs or is over. */
export async function giveUpQueued(tx: Tx, id: string, now: Date, reason = lostLease): Promise<boolean> {
  const given = await tx
    .updateTable('jobs')
    .set({ status: 'CANCELLED', error: reason, finished_at: now, log: withLine(reason) })
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .returning('server_id')
    .executeTakeFirst()
  if (given) await tellOwner(tx, given.server_id)
  return given !== undefined
}
