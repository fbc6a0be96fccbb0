import { rescueCan } from '@vps/shared/servers'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import type { HeldPlace } from '../../fleet/placements.js'
import { findRescueImage } from '../../fleet/rescue-image.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { must } from '../../must.js'
import { describePlaced } from './describe.js'
import { jobAt, type AskAt } from './job-at.js'
import { addRescue } from './rescue-rows.js'

/** MOVE_NOT_ALLOWED for an act not possible in rescue. */
export function refuseInRescue({ rescueId }: Pick<HeldPlace, 'rescueId'>): void {
  const reason = rescueCan.change(rescueId !== null)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
}

/** For a locked server; the secret is the one-time password. MOVE_NOT_ALLOWED, LOCKED. */
export async function enterRescue(tx: Tx, { place, ...ask }: AskAt, now: Date): Promise<string> {
  const image = await findRescueImage(tx, place.hostId)
  const reason = rescueCan.enter({ isIn: place.rescueId !== null, offered: image !== null })
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const { serverId } = place
  const server = await tx.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow()
  const access = { sshPort: server.ssh_port, username: 'root', sshKeys: [] }
  const found = must(image)
  const described = await describePlaced(tx, server, place.id, found, access)
  const machine = { ...described, hostname: 'rescue', diskGb: found.min_disk_gb }
  const rescueId = uuidv7()
  const jobId = await enqueueJob(tx, { ...jobAt(place, ask), payload: { kind: 'enterRescue', rescueId, machine } }, now)
  await addRescue(tx, { id: rescueId, serverId, secretId: must(ask.secretId) }, now)
  return jobId
}

/** Tries the login with the present password. MOVE_NOT_ALLOWED, LOCKED. */
export async function leaveRescue(tx: Tx, { place, ...ask }: AskAt, now: Date): Promise<string> {
  const reason = rescueCan.leave(place.rescueId !== null)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const { secret_id: secretId } = await tx
    .selectFrom('servers')
    .select('secret_id')
    .where('id', '=', place.serverId)
    .executeTakeFirstOrThrow()
  return enqueueJob(tx, { ...jobAt(place, { ...ask, secretId }), payload: { kind: 'leaveRescue', start: true } }, now)
}
