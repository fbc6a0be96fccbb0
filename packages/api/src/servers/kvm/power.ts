import type { JobPayload, SshPayload } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { enqueueSsh } from '../ssh/place.js'

/** A life-cycle move turns the server on again. Never refused: it replaces what is queued. */
export async function startServer(tx: Tx, serverId: string, orderId: string, now: Date): Promise<void> {
  await askHost(tx, serverId, orderId, { kind: 'start' }, false, now)
}

/** A life-cycle move stops the server; its data stay. Never refused: it replaces what is queued and aborts what runs. */
export async function stopServer(tx: Tx, serverId: string, orderId: string, now: Date): Promise<void> {
  await askHost(tx, serverId, orderId, { kind: 'stop', force: false, graceSeconds: 60 }, true, now)
}

async function askHost(tx: Tx, serverId: string, orderId: string, payload: JobPayload, abort: boolean, now: Date) {
  const place = await tx
    .selectFrom('placements')
    .select(['id', 'host_id', 'generation'])
    .where('server_id', '=', serverId)
    .where('state', '=', 'held')
    .executeTakeFirst()
  if (!place)
    return askWorker(
      tx,
      serverId,
      orderId,
      payload.kind === 'start' ? { kind: 'start', ssh: 'unlock' } : { kind: 'stop', ssh: 'lock' },
      now,
    )
  const job = { serverId, hostId: place.host_id, placementId: place.id, orderId, generation: place.generation, payload }
  await enqueueJob(tx, job, now, { replace: true, abort })
}

/** A dedicated server is not switched off: it is locked, and unlocked. */
async function askWorker(tx: Tx, serverId: string, orderId: string, payload: SshPayload, now: Date): Promise<void> {
  const server = await tx.selectFrom('servers').select('driver').where('id', '=', serverId).executeTakeFirst()
  if (server?.driver !== 'ssh') return
  const last = await readLastLock(tx, serverId, orderId)
  // A lock that broke off may have set its password: the next one brings the same, so that there are never many to try.
  const secretId = payload.ssh === 'lock' && last?.act === 'lock' && last.status !== 'SUCCEEDED' ? last.secretId : null
  await enqueueSsh(tx, { serverId, orderId, payload, secretId }, now, { replace: true })
}

/** The last lock or unlock that was asked for while this order had the machine, or null. */
async function readLastLock(tx: Tx, serverId: string, orderId: string) {
  const last = await tx
    .selectFrom('jobs')
    .select([sql<string>`payload->>'ssh'`.as('act'), 'status', 'secret_id as secretId'])
    .where('server_id', '=', serverId)
    .where('order_id', '=', orderId)
    .where(sql`payload->>'ssh'`, 'in', ['lock', 'unlock'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? null
}
