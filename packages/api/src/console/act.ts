import type { JobPayload } from '@vps/shared/jobs.contract'
import { orderCan } from '@vps/shared/orders'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { enqueueJob } from '../jobs/enqueue.js'
import { enqueueSsh } from '../servers/ssh/place.js'
import { createSecret } from '../secrets/secrets.js'
import type { SealedSecret } from '../vault.js'

export type Act = {
  serverId: string
  orderId: string | null
  action: 'start' | 'restart' | 'stop' | 'resetPassword'
  force: boolean
  /** A password is set by a restart: for guests without an agent. */
  byRestart: boolean
  secret: SealedSecret | null
}

const graceSeconds = 60

/**
 * Asks the server's host for an act; gives the job's id. Refused while the order is not ACTIVE (MOVE_NOT_ALLOWED) or another
 * act is open (LOCKED); only a forced stop is not: it replaces what waits and asks what runs to abort.
 */
export async function actOnServer(tx: Tx, user: User, act: Act, now: Date): Promise<string> {
  const { serverId, action, force, byRestart } = act
  if (act.orderId) await refuseUnlessActive(tx, act.orderId)
  const server = await lockServer(tx, serverId)
  if (act.secret) await createSecret(tx, act.secret, now)
  const jobId = server.place
    ? await askHost(tx, user, act, { ...server, place: server.place }, now)
    : await askWorker(tx, user, act, now)
  await recordAudit(
    tx,
    actorOf(user),
    {
      action: `server.${action}`,
      subject: { kind: 'server', id: serverId },
      details: { jobId, force, ...(byRestart ? { byRestart } : {}) },
    },
    now,
  )
  if (server.userId) publish(tx, { user: server.userId, what: 'server', id: serverId })
  return jobId
}

async function refuseUnlessActive(tx: Tx, orderId: string): Promise<void> {
  const order = await tx
    .selectFrom('orders')
    .select('status')
    .where('id', '=', orderId)
    .forShare()
    .executeTakeFirstOrThrow()
  const reason = orderCan.act.reason(order)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
}

async function lockServer(tx: Tx, serverId: string) {
  const server = await tx
    .selectFrom('servers')
    .select(['driver', 'username', 'user_id as userId'])
    .where('id', '=', serverId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const place = await tx
    .selectFrom('placements')
    .select(['id', 'host_id as hostId', 'generation'])
    .where('server_id', '=', serverId)
    .where('state', '=', 'held')
    .executeTakeFirst()
  if (!place && server.driver !== 'ssh') fail('NOT_SUPPORTED')
  return { ...server, place: place ?? null }
}

type Placed = { username: string; place: { id: string; hostId: string; generation: number } }

function askHost(tx: Tx, user: User, act: Act, { username, place }: Placed, now: Date): Promise<string> {
  const job = {
    serverId: act.serverId,
    hostId: place.hostId,
    placementId: place.id,
    orderId: act.orderId,
    generation: place.generation,
    payload: payloadOf(act, username),
    secretId: act.secret?.id ?? null,
    askedBy: user.id,
  }
  return enqueueJob(tx, job, now, act.force ? { replace: true, abort: true } : {})
}

/** A dedicated server is reached over SSH alone: what is off cannot be started from here. */
function askWorker(tx: Tx, user: User, act: Act, now: Date): Promise<string> {
  if (act.action === 'start' || act.byRestart) fail('NOT_SUPPORTED')
  const payload = {
    restart: { kind: 'restart', ssh: 'restart' },
    stop: { kind: 'stop', ssh: 'power-off' },
    resetPassword: { kind: 'resetPassword', ssh: 'reset-password' },
  } as const
  const job = {
    serverId: act.serverId,
    orderId: act.orderId,
    payload: payload[act.action],
    secretId: act.secret?.id ?? null,
    askedBy: user.id,
  }
  return enqueueSsh(tx, job, now)
}

function payloadOf({ action, force, byRestart }: Act, username: string): JobPayload {
  switch (action) {
    case 'start':
    case 'restart':
      return { kind: action }
    case 'stop':
      return { kind: 'stop', force, graceSeconds: force ? 0 : graceSeconds }
    case 'resetPassword':
      return { kind: 'resetPassword', username, byRestart }
  }
}
