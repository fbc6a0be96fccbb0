import { actorOf, type User } from '../../actor.js'
import { recordAudit } from '../../audit/record.js'
import type { Tx } from '../../db/client.js'
import { lockStray } from '../../findings/findings.js'
import { enqueueJob } from '../../jobs/enqueue.js'

/**
 * Destroys domain, disks and seeds; the next inventory resolves the finding. Gives the job's id. NOT_FOUND,
 * NOT_SUPPORTED, LOCKED.
 */
export async function cleanStray(tx: Tx, admin: User, findingId: string, now: Date): Promise<string> {
  const stray = await lockStray(tx, findingId)
  const jobId = await enqueueJob(
    tx,
    { ...stray, placementId: null, orderId: null, payload: { kind: 'destroy' }, askedBy: admin.id },
    now,
  )
  const details = { jobId, hostId: stray.hostId, serverId: stray.serverId }
  await recordAudit(
    tx,
    actorOf(admin),
    { action: 'finding.clean', subject: { kind: 'finding', id: findingId }, details },
    now,
  )
  return jobId
}
