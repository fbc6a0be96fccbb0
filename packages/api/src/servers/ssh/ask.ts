import type { SshPayload } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import type { Act, Ask } from '../driver/driver.js'

/** Asks our worker for an act. */
export async function askWorker(tx: Tx, serverId: string, ask: Ask, now: Date): Promise<string> {
  const payload = payloadOf(ask.act)
  const secretId = payload.ssh === 'lock' ? await secretOfLostLock(tx, serverId, ask.orderId) : ask.secretId
  const replace = ask.act.kind === 'suspend' || ask.act.kind === 'resume'
  return enqueueSsh(tx, serverId, { ...ask, payload, secretId: secretId ?? null }, now, { replace })
}

/** Over SSH nothing starts; locked where a virtual machine is stopped. */
function payloadOf(act: Act): SshPayload {
  switch (act.kind) {
    case 'restart':
      return { kind: 'restart', ssh: 'restart' }
    case 'stop':
      return { kind: 'stop', ssh: 'power-off' }
    case 'suspend':
      return { kind: 'stop', ssh: 'lock' }
    case 'resume':
      return { kind: 'start', ssh: 'unlock' }
    case 'resetPassword':
      return act.byRestart ? fail('NOT_SUPPORTED') : { kind: 'resetPassword', ssh: 'reset-password' }
    case 'start':
    case 'reinstall':
    case 'snapshot':
    case 'revert':
    case 'deleteSnapshot':
    case 'enterRescue':
    case 'leaveRescue':
    case 'applyFirewall':
    case 'insertIso':
    case 'ejectIso':
    case 'backup':
    case 'restore':
      return fail('NOT_SUPPORTED')
  }
}

/** Used again, so that few are to be tried. */
async function secretOfLostLock(tx: Tx, serverId: string, orderId: string | null): Promise<string | null> {
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
  return last?.act === 'lock' && last.status !== 'SUCCEEDED' ? last.secretId : null
}

type SshJob = Omit<Ask, 'act'> & { payload: SshPayload }

/** LOCKED, unless `replace`. */
export async function enqueueSsh(
  tx: Tx,
  serverId: string,
  { orderId, payload, secretId, askedBy }: SshJob,
  now: Date,
  mode: { replace?: boolean } = {},
): Promise<string> {
  const server = await tx
    .selectFrom('servers')
    .select('generation')
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  const generation = Math.max(1, server.generation)
  const job = { serverId, hostId: null, placementId: null, orderId, generation, payload }
  return enqueueJob(tx, { ...job, secretId: secretId ?? null, askedBy: askedBy ?? null }, now, mode)
}
