import { migratingNow } from '@vps/shared/cold-migrations'
import { yieldingKinds, type JobKind } from '@vps/shared/jobs'
import type { JobPayload, SshPayload } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import { statement, type Given } from '../db/statement.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { presentEpoch } from './epoch.js'
import { sshWorker } from './ssh-worker.js'
import { isMigrating } from './is-migrating.js'
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
  /** With the word of then; else of the present one. */
  epoch?: number
}

/**
 * LOCKED while another is open for this server and host, unless `replace` (life-cycle moves): it supersedes the queued
 * job and, with `abort`, asks the running one to stop. Every act treats what yields (`yieldingKinds`) so. LOCKED for all
 * but a migration's own jobs and a clean-up while the server migrates.
 */
export async function enqueueJob(
  tx: Tx,
  job: NewJob,
  now: Date,
  mode: { replace?: boolean; abort?: boolean; ofMigration?: boolean } = {},
): Promise<string> {
  const { open, migrating } = await stateOf(tx, job)
  if (migrating && !mode.ofMigration && job.payload.kind !== 'destroy') fail('LOCKED', { message: migratingNow })
  if (mode.replace) await supersede(tx, job, now, mode.abort ?? false)
  // A backup by hand waits for no deletion and no check.
  else if (!open.every((kind) => doesYield(kind) && kind !== job.payload.kind)) fail('LOCKED')
  else if (open.length > 0) await supersede(tx, job, now, true)
  return insertJob(tx, job, now)
}

/** For a server without another job on this host; the database refuses a second (LOCKED). */
export async function insertJob(tx: Tx, job: NewJob, now: Date): Promise<string> {
  const id = uuidv7()
  const kind: JobKind = job.payload.kind
  const row = {
    secretId: null,
    askedBy: null,
    epoch: null,
    ...job,
    id,
    kind,
    payload: JSON.stringify(job.payload),
    now,
  }
  await ahead(tx, insertion.query(tx, row))
  publish(tx, { host: job.hostId ?? sshWorker }, { shop: 'job' })
  return id
}

type Row = Required<Omit<NewJob, 'payload' | 'epoch'>> & {
  epoch: number | null
  id: string
  kind: JobKind
  payload: string
  now: Date
}

const insertion = statement((db, given: Given<Row>) =>
  db.insertInto('jobs').values({
    id: given('id'),
    server_id: given('serverId'),
    host_id: given('hostId'),
    placement_id: given('placementId'),
    order_id: given('orderId'),
    kind: given('kind'),
    epoch: sql`coalesce(${given('epoch')}::int, ${presentEpoch})`,
    generation: given('generation'),
    payload: given('payload'),
    secret_id: given('secretId'),
    asked_by: given('askedBy'),
    run_at: sql`clock_timestamp()`,
    created_at: given('now'),
  }),
)

type Lane = Pick<NewJob, 'serverId' | 'hostId'>

const doesYield = (kind: JobKind) => yieldingKinds.some((one) => one === kind)

async function stateOf(tx: Tx, { serverId, hostId }: Lane): Promise<{ open: JobKind[]; migrating: boolean }> {
  const open = tx
    .selectFrom('jobs')
    .select('kind')
    .where('server_id', '=', serverId)
    .where('host_id', 'is not distinct from', hostId)
    .where(isOpen())
  return tx
    .selectNoFrom([sql<JobKind[]>`array(${open})`.as('open'), isMigrating(sql.val(serverId)).as('migrating')])
    .executeTakeFirstOrThrow()
}

/** What waits on this server's host gives way; what runs is asked to stop with `abort`, and always where it yields. */
export async function supersede(tx: Tx, lane: Lane, now: Date, abort: boolean): Promise<void> {
  const isQueued = sql<boolean>`status = 'QUEUED'`
  await tx
    .updateTable('jobs')
    .set({
      status: sql`case when ${isQueued} then 'SUPERSEDED' else status end`,
      finished_at: sql`case when ${isQueued} then ${now}::timestamptz else finished_at end`,
      abort_requested: sql`abort_requested or not ${isQueued}`,
    })
    .where('server_id', '=', lane.serverId)
    .where('host_id', 'is not distinct from', lane.hostId)
    .where(isOpen())
    .where((eb) => eb.or([isQueued, eb.lit(abort), eb('kind', 'in', yieldingKinds)]))
    .execute()
}
