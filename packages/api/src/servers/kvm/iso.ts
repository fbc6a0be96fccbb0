import { isoCan } from '@vps/shared/servers'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../db/client.js'
import { fail } from '../../errors.js'
import { isosFor } from '../../fleet/images-here.js'
import type { HeldPlace } from '../../fleet/placements.js'
import { enqueueJob } from '../../jobs/enqueue.js'
import { addIso, putOffEjection } from './iso-rows.js'
import { jobAt, type AskAt, type AskFor } from './job-at.js'

/** MOVE_NOT_ALLOWED for an act not possible with a disc in the drive. */
export function refuseWithIso({ isoId }: Pick<HeldPlace, 'isoId'>): void {
  const reason = isoCan.change(isoId !== null)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
}

/** For a locked server. MOVE_NOT_ALLOWED; UNKNOWN_IMAGE for one its host does not have; LOCKED. */
export async function insertIso(tx: Tx, { place, act, ...ask }: AskFor<'insertIso'>, now: Date): Promise<string> {
  const { serverId, rescueId } = place
  const isos = await isosFor(tx, serverId).execute()
  const is = { isIn: place.isoId !== null, offered: isos.length > 0, inRescue: rescueId !== null }
  const reason = isoCan.insert(is)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const row =
    isos.find(({ id }) => id === act.imageId) ?? fail('UNKNOWN_IMAGE', { message: '该光盘已不可用，请重新选择' })
  const { id, os_name: osName, os_version: osVersion, file, sha256, readiness } = row
  const image = { id, osName, osVersion, file, sha256, readiness }
  const isoId = uuidv7()
  const payload = { kind: 'insertIso', isoId, image, boots: act.boots } as const
  const jobId = await enqueueJob(tx, { ...jobAt(place, ask), payload }, now)
  await addIso(tx, { id: isoId, serverId, imageId: id, boots: act.boots }, now)
  return jobId
}

/** MOVE_NOT_ALLOWED, LOCKED. */
export async function ejectIso(tx: Tx, { place, ...ask }: AskAt, now: Date): Promise<string> {
  const reason = isoCan.eject(place.isoId !== null)
  if (reason) fail('MOVE_NOT_ALLOWED', { message: reason })
  const jobId = await enqueueJob(tx, { ...jobAt(place, ask), payload: { kind: 'ejectIso' } }, now)
  await putOffEjection(tx, place.serverId, now)
  return jobId
}
