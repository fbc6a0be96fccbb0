import type { JobKind, JobStatus, JobStep } from '@vps/shared/jobs'
import type { Page, PageInput } from '@vps/shared/page'
import { sql } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, isOneOf, pageOfIds, toPage } from '../db/page.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'

type Filter = PageInput & {
  status?: JobStatus | undefined
  kind?: JobKind | undefined
  serverId?: string | undefined
  hostId?: string | undefined
}

/** Every act on a machine, newest first. */
export async function pageJobs(db: Db, input: Filter) {
  let filtered = db.selectFrom('jobs as j').select('j.id')
  if (input.status) filtered = filtered.where('j.status', '=', input.status)
  if (input.kind) filtered = filtered.where('j.kind', '=', input.kind)
  if (input.serverId) filtered = filtered.where('j.server_id', '=', input.serverId)
  if (input.hostId) filtered = filtered.where('j.host_id', '=', input.hostId)
  const ordered = filtered.orderBy('j.created_at', 'desc').orderBy('j.id', 'desc')
  const ids = await pageOfIds(ordered, input)
  const [rows, count] = await Promise.all([
    db
      .selectFrom('jobs as j')
      .innerJoin('servers as s', 's.id', 'j.server_id')
      .leftJoin('hosts as h', 'h.id', 'j.host_id')
      .leftJoin('users as u', 'u.id', 'j.asked_by')
      .selectAll('j')
      .select(['s.name as serverName', 'h.name as hostName', 'u.username'])
      .where(isOneOf('j.id', ids))
      .orderBy('j.created_at', 'desc')
      .orderBy('j.id', 'desc')
      .execute(),
    countRows(db, ordered),
  ])
  const content = rows.map((row) => ({
    id: row.id,
    kind: row.kind as JobKind,
    status: row.status as JobStatus,
    serverId: row.server_id,
    serverName: row.serverName,
    hostName: row.hostName,
    orderId: row.order_id,
    attempt: row.attempt,
    percentage: row.percentage,
    steps: row.steps as unknown as JobStep[],
    error: row.error,
    /** What the hypervisor said, for the operator. */
    detail: detailOf(row.result),
    by: row.username,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  }))
  return toPage(content, count, input) satisfies Page<unknown>
}

function detailOf(result: unknown): string | null {
  const detail = result && typeof result === 'object' && 'detail' in result ? result.detail : null
  return typeof detail === 'string' ? detail : null
}

/** A waiting job is tried at once; NOT_FOUND, MOVE_NOT_ALLOWED for any other. */
export async function hurryJob(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const job = await tx
    .updateTable('jobs')
    .set({ run_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .returning('host_id')
    .executeTakeFirst()
  if (!job) await refuse(tx, id)
  if (job?.host_id) publish(tx, { host: job.host_id })
  await recordAudit(tx, actorOf(admin), { action: 'job.hurry', subject: { kind: 'job', id } }, now)
}

/**
 * A waiting power act or password change is taken back; a running one is asked to abort. A set-up or a clean-up is not an
 * operator's to cancel: orders and places hang on it.
 */
export async function cancelJob(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const kinds = ['start', 'stop', 'restart', 'resetPassword', 'resize']
  const waiting = await tx
    .updateTable('jobs')
    .set({ status: 'CANCELLED', finished_at: now, error: '管理员取消' })
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .where('kind', 'in', kinds)
    .returning('id')
    .executeTakeFirst()
  const running = waiting
    ? null
    : await tx
        .updateTable('jobs')
        .set({ abort_requested: true })
        .where('id', '=', id)
        .where('status', '=', 'RUNNING')
        .where('kind', 'in', kinds)
        .returning('id')
        .executeTakeFirst()
  if (!waiting && !running) await refuse(tx, id)
  await recordAudit(tx, actorOf(admin), { action: 'job.cancel', subject: { kind: 'job', id } }, now)
}

async function refuse(tx: Tx, id: string): Promise<never> {
  const job = await tx.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst()
  return job ? fail('MOVE_NOT_ALLOWED', { message: '该任务的当前状态或类型不允许此操作' }) : fail('NOT_FOUND')
}
