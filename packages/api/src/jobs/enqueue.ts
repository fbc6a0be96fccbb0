import type { JobKind } from '@vps/shared/jobs'
import type { JobPayload, SshPayload } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { sshWorker } from './ssh-worker.js'
import { isOpen } from './is-open.js'

export type NewJob = {
  serverId: string
  /** Null: an ssh server. */
  hostId: string | null
  placementId: string | null
  orderId: string | null
  generation: number
  payload: JobPayload | SshPayload
  secretId?: string | null
  askedBy?: string | null
}

/**
 * LOCKED while another is open for this server and host, unless `replace` (life-cycle moves): it supersedes the queued
 * job and, with `abort`, asks the running one to stop.
 */
export async function enqueueJob(
  tx: Tx,
  job: NewJob,
  now: Date,
  mode: { replace?: boolean; abort?: boolean } = {},
): Promise<string> {
  if (mode.replace) await supersede(tx, job, now, mode.abort ?? false)
  else if (await hasOpenJob(tx, job)) fail('LOCKED')
  const { id, write } = insertJob(tx, job, now)
  await write.execute()
  return id
}

/**
 * For a server that has no other job on this host, to be sent together with other writes; the database refuses a second
 * one (LOCKED).
 */
export function insertJob(tx: Tx, job: NewJob, now: Date) {
  const id = uuidv7()
  const epoch = sql<number>`coalesce((select (value)::int from settings where name = 'epoch'), 0)`
  const write = tx
    .insertInto('jobs')
    .values({
      id,
      server_id: job.serverId,
      host_id: job.hostId,
      placement_id: job.placementId,
      order_id: job.orderId,
      kind: job.payload.kind satisfies JobKind,
      epoch,
      generation: job.generation,
      payload: JSON.stringify(job.payload),
      secret_id: job.secretId ?? null,
      asked_by: job.askedBy ?? null,
      run_at: sql`clock_timestamp()`,
      created_at: now,
    })
    .returning('id')
  publish(tx, { host: job.hostId ?? sshWorker }, { shop: 'job' })
  return { id, write }
}

type Lane = Pick<NewJob, 'serverId' | 'hostId'>

async function hasOpenJob(tx: Tx, lane: Lane): Promise<boolean> {
  const row = await tx
    .selectFrom('jobs')
    .select('id')
    .where('server_id', '=', lane.serverId)
    .where('host_id', 'is not distinct from', lane.hostId)
    .where(isOpen())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function supersede(tx: Tx, lane: Lane, now: Date, abort: boolean): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ status: 'SUPERSEDED', finished_at: now })
    .where('server_id', '=', lane.serverId)
    .where('host_id', 'is not distinct from', lane.hostId)
    .where('status', '=', 'QUEUED')
    .execute()
  if (!abort) return
  await tx
    .updateTable('jobs')
    .set({ abort_requested: true })
    .where('server_id', '=', lane.serverId)
    .where('host_id', 'is not distinct from', lane.hostId)
    .where('status', '=', 'RUNNING')
    .execute()
}
