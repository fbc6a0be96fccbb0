import { actorOf, type User } from '../../actor.js'
import { recordAudit } from '../../audit/record.js'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { lockServerOf } from '../../findings/findings.js'
import { refuseOnLost } from '../../fleet/lost.js'
import { heldPlace } from '../../fleet/placements.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { savedAgain } from './firewall-rows.js'
import { jobAt } from './job-at.js'
import { observeReplaced } from './outcome.js'

/** The rules its owner saved last, again. Gives the job's id. NOT_FOUND, NOT_SUPPORTED, LOCKED; MOVE_NOT_ALLOWED on a lost host. */
export async function reapplyFirewall(tx: Tx, admin: User, findingId: string, now: Date): Promise<string> {
  const { hostId, serverId } = await lockServerOf(tx, findingId, ['changed-firewall'])
  await refuseOnLost(tx, hostId)
  const place = await heldPlace(tx, serverId).where('host_id', '=', hostId).executeTakeFirst()
  if (!place) fail('NOT_SUPPORTED')
  const { order_id: orderId } = await tx
    .selectFrom('servers')
    .select('order_id')
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  const payload = { kind: 'applyFirewall' as const, ...(await savedAgain(tx, serverId, now)) }
  const jobId = await enqueueJob(tx, { ...jobAt(place, { orderId, askedBy: admin.id }), payload }, now)
  await observeReplaced(tx, place, now)
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, actorOf(admin), { action: 'server.applyFirewall', subject, details: { jobId, findingId } }, now)
  return jobId
}
