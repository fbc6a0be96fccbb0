import { jobPayload, type JobResult } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import { markDestroyed } from '../../fleet/placements.js'
import { markBootable, markUnbootable } from '../../fleet/unbootable.js'
import type { JobRow } from '../../jobs/claim.js'
import { forgetSnapshots, markMade } from './snapshot-rows.js'

/** What a try of a job says of its machine and of its image becomes what we know of them. */
export async function observeMachine(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  if (job.kind === 'destroy') {
    if (result?.ok) await markDestroyed(tx, job.placement_id)
    return
  }
  await observePlaced(tx, job, result, now)
  if (result?.ok) await observeSnapshots(tx, job, now)
  await observeImage(tx, job, result, now)
}

/** Nothing once the server has left the place. */
async function observePlaced(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  const server = await tx
    .selectFrom('servers as s')
    .innerJoin('placements as p', 'p.server_id', 's.id')
    .select(['s.id', 's.user_id', 's.power'])
    .where('p.id', '=', job.placement_id)
    .where('p.state', '=', 'held')
    .forUpdate('s')
    .executeTakeFirst()
  if (!server) return
  const power = result === null || result.power === 'absent' ? 'unknown' : result.power
  await tx
    .updateTable('servers')
    .set({
      ...(power === server.power ? {} : { power, power_changed_at: sql`clock_timestamp()` }),
      ...(isSetUp(job) ? { install_status: result?.ok ? 'COMPLETED' : 'FAILED' } : {}),
      ...((job.kind === 'resetPassword' || job.kind === 'revert') && result?.ok ? { secret_id: job.secret_id } : {}),
      ...(job.kind === 'reinstall' && result?.ok ? madeAnew(job) : {}),
      updated_at: now,
    })
    .where('id', '=', server.id)
    .execute()
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: server.id })
}

/** A machine made anew has none of the disk before. */
async function observeSnapshots(tx: Tx, job: JobRow, now: Date): Promise<void> {
  const payload = jobPayload.parse(job.payload)
  if (payload.kind === 'snapshot') await markMade(tx, payload.snapshotId, now)
  if (payload.kind === 'deleteSnapshot') await forgetSnapshots(tx, { id: payload.snapshotId })
  if (payload.kind === 'reinstall') await forgetSnapshots(tx, { serverId: job.server_id, before: job.generation })
}

const isSetUp = (job: JobRow) => job.kind === 'install' || job.kind === 'reinstall'

/** After a reinstall. */
function madeAnew(job: JobRow) {
  const payload = jobPayload.parse(job.payload)
  if (payload.kind !== 'reinstall') return {}
  const { image, sshPort, username } = payload.machine
  return {
    image_id: image.id,
    os_name: image.osName,
    os_version: image.osVersion,
    ssh_port: sshPort,
    username,
    secret_id: job.secret_id,
  }
}

/** Answering after being made anew proves that the image boots; an unasked machine proves nothing. */
async function observeImage(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  if (job.host_id === null || result === null) return
  if (!result.ok) {
    if (result.unbootable) await markUnbootable(tx, job.host_id, result.unbootable, result.message, now)
    return
  }
  if (!isSetUp(job)) return
  const payload = jobPayload.parse(job.payload)
  if (!('machine' in payload) || payload.machine.image.readiness === 'none') return
  await markBootable(tx, job.host_id, payload.machine.image.file, now)
}
