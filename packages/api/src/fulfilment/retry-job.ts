import { orderCan } from '@vps/shared/orders'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { lostDoesNothing } from '../fleet/lost.js'
import type { JobRow } from '../jobs/claim.js'
import { enqueueJob } from '../jobs/enqueue.js'
import { lockJob } from '../jobs/manage-jobs.js'
import { changeServer } from '../servers/change-server.js'

/**
 * With the same description, generation, epoch and password. Only a machine's newest act, its server still there: nothing
 * newer is undone. Gives the new job's id. NOT_FOUND, MOVE_NOT_ALLOWED with the reason, LOCKED.
 */
export async function retryJob(tx: Tx, admin: User, id: string, now: Date): Promise<string> {
  const found = await tx.selectFrom('jobs').select(['order_id', 'server_id']).where('id', '=', id).executeTakeFirst()
  if (!found) fail('NOT_FOUND')
  // Lock order: order, server, job (docs/money.md).
  const order = found.order_id
    ? await tx.selectFrom('orders').select('status').where('id', '=', found.order_id).forShare().executeTakeFirst()
    : null
  const server = await tx
    .selectFrom('servers')
    .select(['id', 'user_id', 'released_at'])
    .where('id', '=', found.server_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const job = await lockJob(tx, id, 'retry')
  await refuseSuperseded(tx, job)
  if (job.kind === 'destroy') {
    if (!job.placement_id) fail('MOVE_NOT_ALLOWED', { message: '请在发现项中再次清理' })
    await refuseUnlessPlaceIs(tx, job, 'releasing')
  } else {
    if (job.host_id) await refuseUnlessPlaceIs(tx, job, 'held')
    else if (server.released_at) fail('MOVE_NOT_ALLOWED', { message: '服务器已删除，任务不会再被执行' })
    const reason = order ? orderCan.act.reason(order) : null
    if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  }
  const jobId = await enqueueJob(
    tx,
    {
      serverId: job.server_id,
      hostId: job.host_id,
      placementId: job.placement_id,
      orderId: job.order_id,
      generation: job.generation,
      payload: job.payload,
      secretId: job.secret_id,
      askedBy: admin.id,
      epoch: job.epoch,
    },
    now,
  )
  if (job.kind === 'reinstall') {
    await changeServer(tx, server.id, { install_status: 'INSTALLING' }, now)
  }
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: server.id })
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'job.retry', subject: { kind: 'job', id }, details: { jobId, kind: job.kind, serverId: server.id } },
    now,
  )
  return jobId
}

async function refuseSuperseded(tx: Tx, job: JobRow): Promise<void> {
  const newer = await tx
    .selectFrom('jobs')
    .select('id')
    .where('server_id', '=', job.server_id)
    .where('host_id', 'is not distinct from', job.host_id)
    .where('id', '>', job.id) // UUIDv7: later ones are greater
    .limit(1)
    .executeTakeFirst()
  if (newer) fail('MOVE_NOT_ALLOWED', { message: '此服务器已有更新的任务，不能重试旧任务' })
}

async function refuseUnlessPlaceIs(tx: Tx, job: JobRow, state: 'held' | 'releasing'): Promise<void> {
  const place = await tx
    .selectFrom('placements as p')
    .innerJoin('hosts as h', 'h.id', 'p.host_id')
    .select(['p.state', 'h.status'])
    .where('p.id', '=', job.placement_id)
    .executeTakeFirst()
  if (place?.state !== state) fail('MOVE_NOT_ALLOWED', { message: '服务器已不在这台宿主机上，无需重试' })
  if (place.status === 'LOST') fail('MOVE_NOT_ALLOWED', { message: lostDoesNothing })
}
