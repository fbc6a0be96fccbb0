import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import type { JobRow } from './claim.js'
import { requeue } from './finish.js'

const lostLease = '宿主机失去联系'

/**
 * Takes one job whose lease ended without a beat: back to the queue, or, after the last try, failed for good. Null when
 * there is none, or when its agent or another sweep was faster. `lockFirst` locks what comes before a job (docs/money.md).
 * Any number of processes may sweep at once.
 */
export async function sweepOne(
  tx: Tx,
  now: Date,
  lockFirst: (jobId: string) => Promise<void>,
): Promise<{ job: JobRow; outcome: 'retried' | 'failed' } | null> {
  const lost = await tx
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'RUNNING')
    .where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .orderBy('lease_until')
    .limit(1)
    .executeTakeFirst()
  if (!lost) return null
  await lockFirst(lost.id)
  const job = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', lost.id)
    .where('status', '=', 'RUNNING')
    .where('lease_until', '<', sql<Date>`clock_timestamp()`)
    .forUpdate()
    .executeTakeFirst()
  if (!job) return null
  if (job.attempt < job.max_attempts && !job.abort_requested) {
    await requeue(tx, job, { error: lostLease })
    return { job, outcome: 'retried' }
  }
  await tx
    .updateTable('jobs')
    .set({ status: 'FAILED', error: lostLease, finished_at: now, lease_until: null })
    .where('id', '=', job.id)
    .execute()
  return { job, outcome: 'failed' }
}
