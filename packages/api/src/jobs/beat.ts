import type { JobStep } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { leaseEnd } from './claim.js'

export type Progress = { jobId: string; attempt: number; steps: JobStep[]; percentage: number }

/** An act that turns its machine off waits behind one that is to abort. */
const isOvertaken = sql<boolean>`abort_requested and exists (select from jobs q where q.server_id = jobs.server_id
  and q.host_id is not distinct from jobs.host_id and q.status = 'QUEUED' and q.kind in ('stop', 'destroy', 'leaveRescue'))`

/** Extends the lease. Null unless it still runs with this attempt. */
export async function beatJob(tx: Tx, hostId: string | null, progress: Progress) {
  const job = await tx
    .updateTable('jobs')
    .set({
      lease_until: leaseEnd,
      steps: JSON.stringify(progress.steps),
      percentage: progress.percentage,
    })
    .where('id', '=', progress.jobId)
    .where('host_id', 'is not distinct from', hostId)
    .where('attempt', '=', progress.attempt)
    .where('status', '=', 'RUNNING')
    .returning(['id', 'server_id as serverId', 'abort_requested as abort'])
    .returning(isOvertaken.as('overtaken'))
    .executeTakeFirst()
  return job ?? null
}
