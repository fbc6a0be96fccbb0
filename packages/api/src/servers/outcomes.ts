import { jobPayload, sshPayload, type JobResult } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { markDestroyed } from '../fleet/placements.js'
import type { JobRow } from '../jobs/claim.js'
import { deleteUnneeded } from '../secrets/secrets.js'

/** What a finished job says about its machine becomes what we know of it, unless the server has left that place since. */
export async function observeResult(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  if (job.kind === 'destroy') {
    if (result?.ok) await markDestroyed(tx, job.placement_id)
    return
  }
  if (job.host_id === null) return observeDedicatedServer(tx, job, result, now)
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
      ...(job.kind === 'resetPassword' && result?.ok ? { secret_id: job.secret_id } : {}),
      ...(job.kind === 'reinstall' && result?.ok ? madeAnew(job) : {}),
      updated_at: now,
    })
    .where('id', '=', server.id)
    .execute()
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: server.id })
}

const isSetUp = (job: JobRow) => job.kind === 'install' || job.kind === 'reinstall'

/** After a reinstall the server is what the job's description says. */
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

/** The same for a dedicated server, unless its order has ended since. */
async function observeDedicatedServer(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
  const server = await tx
    .selectFrom('servers')
    .select(['id', 'user_id', 'secret_id'])
    .where('id', '=', job.server_id)
    .where('order_id', 'is not distinct from', job.order_id)
    .forUpdate()
    .executeTakeFirst()
  if (!server) return
  const { ssh } = sshPayload.parse(job.payload)
  const ok = result?.ok === true
  await tx
    .updateTable('servers')
    .set({
      ...(result?.ok
        ? {
            power: result.power === 'absent' ? 'unknown' : result.power,
            power_changed_at: sql`clock_timestamp()`,
            ssh_checked_at: sql`clock_timestamp()`,
          }
        : {}),
      ...(job.kind === 'install' ? { install_status: ok ? 'COMPLETED' : 'FAILED' } : {}),
      ...(ok && (ssh === 'set-up' || ssh === 'reset-password') ? { secret_id: job.secret_id } : {}),
      ...(ok && ssh === 'lock' ? { locked_secret_id: job.secret_id } : {}),
      ...(ok && ssh === 'unlock' ? { locked_secret_id: null } : {}),
      updated_at: now,
    })
    .where('id', '=', server.id)
    .execute()
  // The password that it was added with is nobody's any more; those of jobs are forgotten in time.
  if (server.secret_id) await deleteUnneeded(tx, [server.secret_id])
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: server.id })
}
