import * as states from '@vps/shared/states'
import { backoffSeconds } from '@vps/shared/jobs'
import type { JobResult } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import type { JobRow } from './claim.js'
import type { Progress } from './beat.js'
import { withLine } from './log-line.js'

export type Ended = { job: JobRow; outcome: 'succeeded' | 'retried' | 'failed' | 'aborted' }

/**
 * Null unless it still runs with this attempt: late or repeated reports change nothing. A failure with tries left
 * waits, then is queued again.
 */
export async function finishJob(
  tx: Tx,
  hostId: string | null,
  report: Progress & { result: JobResult },
  now: Date,
): Promise<Ended | null> {
  const job = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', report.jobId)
    .where('host_id', 'is not distinct from', hostId)
    .where('status', '=', 'RUNNING')
    .where('attempt', '=', report.attempt)
    .forUpdate()
    .executeTakeFirst()
  if (!job) return null
  const { result } = report
  const told = { steps: JSON.stringify(report.steps), percentage: report.percentage, result: JSON.stringify(result) }
  if (!result.ok && !result.aborted && !result.final && job.attempt < job.max_attempts && !job.abort_requested) {
    return { job: await requeue(tx, job, { ...told, error: result.message }), outcome: 'retried' }
  }
  const outcome = result.ok ? 'succeeded' : result.aborted || job.abort_requested ? 'aborted' : 'failed'
  const status = ({ succeeded: 'SUCCEEDED', failed: 'FAILED', aborted: 'CANCELLED' } as const)[outcome]
  await tx
    .updateTable('jobs')
    .set({
      ...told,
      status,
      error: result.ok ? null : result.message,
      finished_at: now,
      lease_until: null,
      log: withLine(
        result.ok
          ? states.done
          : `${outcome === 'aborted' ? '已中止' : states.failed}：${result.message} ${result.detail}`,
      ),
    })
    .where('id', '=', job.id)
    .execute()
  return { job: { ...job, steps: report.steps }, outcome }
}

/**
 * For its next try; a job queued meanwhile takes its place instead. Gives it as it is then. `result` null: nobody knows what
 * the try did.
 */
export async function requeue(
  tx: Tx,
  job: JobRow,
  told: { steps?: string; percentage?: number; result: string | null; error: string; max_attempts?: number },
  waitSeconds = backoffSeconds(job.attempt),
): Promise<JobRow> {
  const successor = await tx
    .selectFrom('jobs')
    .select('id')
    .where('server_id', '=', job.server_id)
    .where('host_id', 'is not distinct from', job.host_id)
    .where('status', '=', 'QUEUED')
    .executeTakeFirst()
  return tx
    .updateTable('jobs')
    .set(
      successor
        ? {
            ...told,
            status: 'SUPERSEDED',
            finished_at: sql<Date>`clock_timestamp()`,
            lease_until: null,
            log: withLine(`${told.error}；由后来的任务取代`),
          }
        : {
            ...told,
            status: 'QUEUED',
            lease_until: null,
            run_at: sql<Date>`clock_timestamp() + make_interval(secs => ${waitSeconds})`,
            log: withLine(`${told.error}；${waitSeconds === 0 ? '立即重新派发' : `${waitSeconds} 秒后重试`}`),
          },
    )
    .where('id', '=', job.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
