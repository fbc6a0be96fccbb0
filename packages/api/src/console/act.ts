import type { isoKinds, rescueKinds, snapshotKinds } from '@vps/shared/jobs'
import { orderCan } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { isOnLost } from '../fleet/lost.js'
import type { Act } from '../servers/driver/driver.js'
import { driverOf } from '../servers/drivers.js'
import { createSecret } from '../secrets/secrets.js'
import type { SealedSecret } from '../vault.js'

export type OwnersAct = Extract<
  Act,
  {
    kind:
      | 'start'
      | 'restart'
      | 'stop'
      | 'resetPassword'
      | 'reinstall'
      | 'backup'
      | 'restore'
      | (typeof snapshotKinds | typeof rescueKinds | typeof isoKinds)[number]
      | 'applyFirewall'
  }
>
type Wanted = { serverId: string; orderId: string | null; act: OwnersAct; secret: SealedSecret | null }

/**
 * Gives the job's id. MOVE_NOT_ALLOWED unless ACTIVE; LOCKED while another act is open, but a forced stop replaces what
 * waits and aborts what runs. What loses data is PROTECTED for owners who asked for that. NOT_SUPPORTED,
 * and the act's own refusals.
 */
export async function actOnServer(tx: Tx, user: User, wanted: Wanted, now: Date): Promise<string> {
  const { serverId, orderId, act, secret } = wanted
  if (orderId) await refuseUnlessActive(tx, orderId)
  const server = await tx
    .selectFrom('servers')
    .select(['driver', 'user_id', 'protected', 'released_at'])
    .where('id', '=', serverId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (server.released_at) fail('NOT_SUPPORTED', { message: text.serverReleased })
  if (losesData.includes(act.kind) && server.protected && user.role !== 'ADMIN') fail('PROTECTED')
  if (secret) await createSecret(tx, secret, now)
  const ask = { act, orderId, secretId: secret?.id ?? null, askedBy: user.id }
  const jobId = (await driverOf(server).ask(tx, serverId, ask, now)) ?? fail('NOT_SUPPORTED')
  const details = { jobId, ...detailsOf(act) }
  const subject = { kind: 'server', id: serverId }
  await recordAudit(tx, actorOf(user), { action: `server.${act.kind}`, subject, details }, now)
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: serverId })
  return jobId
}

const losesData: readonly OwnersAct['kind'][] = ['revert', 'restore', 'reinstall']

function detailsOf(act: OwnersAct): Record<string, unknown> {
  if (act.kind === 'snapshot') return { name: act.name }
  if (act.kind === 'revert' || act.kind === 'deleteSnapshot') return { snapshotId: act.snapshotId }
  if (act.kind === 'reinstall') return { osName: act.image.os_name, osVersion: act.image.os_version }
  if (act.kind === 'backup') return { origin: act.origin }
  if (act.kind === 'restore') return { backupId: act.backupId }
  if (act.kind === 'enterRescue' || act.kind === 'leaveRescue' || act.kind === 'ejectIso') return {}
  if (act.kind === 'insertIso') return { imageId: act.imageId, boots: act.boots }
  if (act.kind === 'applyFirewall')
    return { revision: act.seen + 1, enabled: act.firewall.enabled, rules: act.firewall.rules.length }
  const byRestart = act.kind === 'resetPassword' && act.byRestart ? { byRestart: true } : {}
  return { force: act.kind === 'stop' && act.force, ...byRestart }
}

/** MOVE_NOT_ALLOWED: also on a lost host, where nobody would do it. */
async function refuseUnlessActive(tx: Tx, orderId: string): Promise<void> {
  const order = await tx
    .selectFrom('orders')
    .select(['status', isOnLost('orders.server_id').as('isLost')])
    .where('id', '=', orderId)
    .forShare()
    .executeTakeFirstOrThrow()
  const reason = orderCan.act.reason(order) ?? (order.isLost ? text.onLostHost : null)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
}
