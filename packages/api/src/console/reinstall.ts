import * as text from '@vps/shared/text'
import type { User } from '../actor.js'
import { findImage } from '../catalogue/queries.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { chosenSshKeys } from '../accounts/chosen-ssh-keys.js'
import { actOnServer } from './act.js'
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

/** All data are lost. Gives the job's id. UNKNOWN_IMAGE, and refusals of `actOnServer`. */
export async function reinstall(tx: Tx, user: User, input: Reinstall, now: Date): Promise<string> {
  const { serverId, orderId, osName, osVersion, sshPort, sshKeyIds, secret } = input
  const image = await findImage(tx, osName, osVersion)
  if (!image) fail('UNKNOWN_IMAGE', { errors: { osVersion: text.osRequired } })
  const sshKeys = await chosenSshKeys(tx, user.id, sshKeyIds)
  return actOnServer(tx, user, { serverId, orderId, act: { kind: 'reinstall', image, sshPort, sshKeys }, secret }, now)
}
