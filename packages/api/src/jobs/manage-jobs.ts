import type { DayRange } from '@vps/shared/fields.contract'
import * as text from '@vps/shared/text'
import { jobCan, type JobKind, type JobStatus } from '@vps/shared/jobs'
import type { Page } from '@vps/shared/page'
import type { PageInput } from '@vps/shared/page.contract'
import { sql } from 'kysely'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { countRows, isOneOf, pageOfIds, toPage } from '../db/page.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import type { JobRow } from './claim.js'
import { requeue } from './finish.js'
import { lockServerOfAhead } from './lock-server-of.js'
import { withLine } from './log-line.js'
import { sshWorker } from './ssh-worker.js'
import { tellOwner } from './tell-progress.js'

type Filter = PageInput &
  DayRange & {
    status?: JobStatus | undefined
    kind?: JobKind | undefined
    serverId?: string | undefined
    hostId?: string | undefined
  }

/** Newest first. */
export async function pageJobs(db: Db, input: Filter) {
  let filtered = db.selectFrom('jobs as j').select('j.id')
  if (input.status) filtered = filtered.where('j.status', '=', input.status)
  // One text for all that people choose: there are many kinds, and as many with each state.
  if (input.kind) filtered = filtered.where(sql<boolean>`j.kind = ${input.kind}`)
  if (input.serverId) filtered = filtered.where('j.server_id', '=', input.serverId)
  if (input.hostId) filtered = filtered.where('j.host_id', '=', input.hostId)
  if (input.from) filtered = filtered.where('j.created_at', '>=', input.from)
  if (input.to) filtered = filtered.where('j.created_at', '<=', input.to)
  const ordered = filtered.orderBy('j.created_at', 'desc').orderBy('j.id', 'desc')
  const ids = await pageOfIds(ordered, input)
  const [rows, count] = await Promise.all([
    db
      .selectFrom('jobs as j')
      .innerJoin('servers as s', 's.id', 'j.server_id')
      .leftJoin('hosts as h', 'h.id', 'j.host_id')
      .leftJoin('users as u', 'u.id', 'j.asked_by')
      .leftJoin('orders as o', 'o.id', 'j.order_id')
      .leftJoin('users as w', 'w.id', 'o.user_id')
      .selectAll('j')
      // Resold since, it has another's name.
      .select([sql<string>`coalesce(o.server_name, s.name)`.as('serverName'), 'h.name as hostName', 'u.username'])
      .select(['o.number as orderNumber', 'w.id as ownerId', 'w.username as ownerName'])
      .where(isOneOf('j.id', ids))
      .orderBy('j.created_at', 'desc')
      .orderBy('j.id', 'desc')
      .execute(),
    countRows(db, ordered),
  ])
  const content = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    serverId: row.server_id,
    serverName: row.serverName,
    hostId: row.host_id,
    hostName: row.hostName,
    orderId: row.order_id,
    orderNumber: row.orderNumber,
    ownerId: row.ownerId,
    ownerName: row.ownerName,
    attempt: row.attempt,
    percentage: row.percentage,
    steps: row.steps,
    error: row.error,
    detail: row.result?.ok === false ? row.result.detail : null,
    log: row.log,
    by: row.username,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  }))
  return toPage(content, count, input) satisfies Page<unknown>
}

/** NOT_FOUND, MOVE_NOT_ALLOWED. */
export async function runJobNow(tx: Tx, admin: User, id: string, now: Date): Promise<void> {
  const job = await lockJob(tx, id, 'runNow')
  await tx
    .updateTable('jobs')
    .set({ run_at: sql<Date>`clock_timestamp()`, log: withLine(`${admin.username} 要求立即执行`) })
    .where('id', '=', id)
    .execute()
  publish(tx, { host: job.host_id ?? sshWorker })
  await recordAudit(tx, actorOf(admin), { action: 'job.run-now', subject: { kind: 'job', id } }, now)
}

/** A running one is asked to abort. Gives it as it is then. NOT_FOUND, MOVE_NOT_ALLOWED. */
export async function cancelJob(tx: Tx, admin: User, id: string, now: Date): Promise<JobRow> {
  const { status, server_id } = await lockJob(tx, id, 'cancel')
  const job = await tx
    .updateTable('jobs')
    .set(
      status === 'QUEUED'
        ? {
            status: 'CANCELLED',
            finished_at: now,
            error: text.cancelledByAdmin,
            log: withLine(`${admin.username} 取消`),
          }
        : { abort_requested: true, log: withLine(`${admin.username} 要求中止`) },
    )
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellOwner(tx, server_id)
  await recordAudit(tx, actorOf(admin), { action: 'job.cancel', subject: { kind: 'job', id } }, now)
  return job
}

/**
 * Hands a running job out anew, not as a failed try. Its holder stops at the next beat, without report; an agent that
 * has it again adopts the attempt. Gives it as it is then. NOT_FOUND, MOVE_NOT_ALLOWED.
 */
export async function adoptJob(tx: Tx, admin: User, id: string, now: Date): Promise<JobRow> {
  const job = await lockJob(tx, id, 'adopt')
  // At once: a row that a transaction changes twice has its keys checked, which waits for whoever has its order and asks for the job.
  const given = await requeue(
    tx,
    job,
    { error: `${admin.username} 接管`, result: null, max_attempts: job.max_attempts + 1 },
    0,
  )
  publish(tx, { host: job.host_id ?? sshWorker })
  await tellOwner(tx, job.server_id)
  await recordAudit(tx, actorOf(admin), { action: 'job.adopt', subject: { kind: 'job', id } }, now)
  return given
}

/** And its server, first. NOT_FOUND; MOVE_NOT_ALLOWED with the reason. */
export async function lockJob(tx: Tx, id: string, act: keyof typeof jobCan): Promise<JobRow> {
  await lockServerOfAhead(tx, id)
  const job = await tx.selectFrom('jobs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!job) fail('NOT_FOUND')
  const reason = jobCan[act](job)
  return reason === null ? job : fail('MOVE_NOT_ALLOWED', { message: reason })
}
