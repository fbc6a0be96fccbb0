import * as text from '@vps/shared/text'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { findImage } from '../catalogue/queries.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { driverOf } from '../servers/drivers.js'
import { createSecret } from '../secrets/secrets.js'
import { chosenSshKeys } from '../accounts/chosen-ssh-keys.js'
import { refuseUnlessActive } from './act.js'
import type { SealedSecret } from '../vault.js'

export type Reinstall = {
  serverId: string
  orderId: string | null
  osName: string
  osVersion: string
  /** Null keeps the server's port. */
  sshPort: number | null
  sshKeyIds: string[]
  secret: SealedSecret
}

/** All data are lost. Gives the job's id. MOVE_NOT_ALLOWED, PROTECTED, LOCKED, UNKNOWN_IMAGE, NOT_SUPPORTED. */
export async function reinstall(tx: Tx, user: User, input: Reinstall, now: Date): Promise<string> {
  const { serverId, osName, osVersion, sshPort, sshKeyIds, secret } = input
  if (input.orderId) await refuseUnlessActive(tx, input.orderId)
  const image = await findImage(tx, osName, osVersion)
  if (!image) fail('UNKNOWN_IMAGE', { errors: { osVersion: text.osRequired } })
  const server = await tx
    .selectFrom('servers')
    .select(['driver', 'protected', 'user_id'])
    .where('id', '=', serverId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (server.protected && user.role !== 'ADMIN') fail('PROTECTED')
  const sshKeys = await chosenSshKeys(tx, user.id, sshKeyIds)
  await createSecret(tx, secret, now)
  const act = { kind: 'reinstall', image, sshPort, sshKeys } as const
  const ask = { act, orderId: input.orderId, secretId: secret.id, askedBy: user.id }
  const jobId = (await driverOf(server).ask(tx, serverId, ask, now)) ?? fail('NOT_SUPPORTED')
  const details = { jobId, osName, osVersion }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'server.reinstall', subject: { kind: 'server', id: serverId }, details },
    now,
  )
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: serverId })
  return jobId
}
