import { redefinableKinds } from '@vps/shared/findings'
import { actorOf, type User } from '../../actor.js'
import { recordAudit } from '../../audit/record.js'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { lockServerOf, refuseElsewhere } from '../../findings/findings.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { refuseOnLost } from '../../fleet/lost.js'
import { heldPlace } from '../../fleet/placements.js'
import { describePlaced } from './describe.js'
import { insertedIsoOf } from './iso-rows.js'
import { jobAt } from './job-at.js'
import { observeReplaced } from './outcome.js'

/**
 * Over its unchanged disk; started where its order runs. Gives the job's id. NOT_FOUND, NOT_SUPPORTED, LOCKED;
 * MOVE_NOT_ALLOWED on a lost host.
 */
export async function redefineServer(tx: Tx, admin: User, findingId: string, now: Date): Promise<string> {
  const { hostId, serverId } = await lockServerOf(tx, findingId, redefinableKinds)
  await refuseOnLost(tx, hostId)
  await refuseElsewhere(tx, serverId)
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
  const place = await heldPlace(tx, serverId)
    .select('earlier_generation')
    .where('host_id', '=', hostId)
    .executeTakeFirst()
  if (!place || !server.image_id) fail('NOT_SUPPORTED')
  const image = await tx.selectFrom('images').selectAll().where('id', '=', server.image_id).executeTakeFirstOrThrow()
  const order = server.order_id
    ? await tx.selectFrom('orders').select('status').where('id', '=', server.order_id).executeTakeFirst()
    : null
  const machine = await describePlaced(tx, server, place.id, image, {
    sshPort: server.ssh_port,
    username: server.username,
    sshKeys: [],
  })
  const ask = { orderId: server.order_id, askedBy: admin.id }
  const inRescue = place.rescueId ? { rescueId: place.rescueId } : {}
  const iso = await insertedIsoOf(tx, serverId)
  const withIso = iso ? { iso } : {}
  const over = place.earlier_generation === null ? {} : { earlierNumber: place.earlier_generation }
  const start = order?.status === 'ACTIVE'
  const payload = { kind: 'redefine', machine, start, ...over, ...inRescue, ...withIso } as const
  const jobId = await enqueueJob(tx, { ...jobAt(place, ask), payload }, now)
  await observeReplaced(tx, place, now)
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, actorOf(admin), { action: 'server.redefine', subject, details: { jobId, findingId } }, now)
  return jobId
}
