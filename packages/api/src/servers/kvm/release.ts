import { keepEnded } from '../../backups/rows.js'
import { saveSchedule } from '../../backups/schedules.js'
import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import { resolveOf } from '../../findings/findings.js'
import { releasePlace } from '../../fleet/release.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { forgetFirewall } from './firewall-rows.js'
import { forgetIso } from './iso-rows.js'
import { forgetRescue } from './rescue-rows.js'
import { forgetSnapshots } from './snapshot-rows.js'
import { jobAt } from './job-at.js'
import { abandonMigration } from './migrate.js'

/**
 * Stops what runs, supersedes what waits, asks for a clean-up. Place and addresses stay counted until shown unused.
 * Never refused.
 */
export async function releaseAndCleanUp(
  tx: Tx,
  { id: serverId, order_id: orderId }: { id: string; order_id: string | null },
  now: Date,
): Promise<void> {
  const place = await releasePlace(tx, serverId, now)
  if (!place) return
  await forgetSnapshots(tx, { serverId })
  await forgetRescue(tx, { serverId })
  await forgetIso(tx, { serverId })
  await resolveOf(tx, 'failed-migration', serverId, now)
  const job = { ...jobAt({ ...place, serverId }, { orderId }), payload: { kind: 'destroy' } } as const
  await enqueueJob(tx, job, now, { replace: true, abort: true })
}

/** The server stays as a record. */
export async function releaseMachine(tx: Tx, serverId: string, now: Date): Promise<null> {
  const server = await tx
    .selectFrom('servers')
    .select(['id', 'user_id', 'order_id'])
    .where('id', '=', serverId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await abandonMigration(tx, serverId, '订单结束，迁移随之取消', now)
  await releaseAndCleanUp(tx, server, now)
  await forgetFirewall(tx, serverId)
  await keepEnded(tx, serverId, now)
  await saveSchedule(tx, serverId, null, now)
  await tx
    .updateTable('servers')
    .set({ released_at: now, install_status: null, power: 'unknown', power_changed_at: now, updated_at: now })
    .where('id', '=', serverId)
    .execute()
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: serverId })
  return null
}
