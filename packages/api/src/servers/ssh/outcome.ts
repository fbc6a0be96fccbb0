import { sshPayload, type JobResult } from '@vps/shared/jobs.contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import { publish } from '../../db/tx.js'
import type { JobRow } from '../../jobs/claim.js'
import { deleteUnneeded } from '../../secrets/secrets.js'

/** Nothing once its order has ended. */
export async function observeDedicatedServer(tx: Tx, job: JobRow, result: JobResult | null, now: Date): Promise<void> {
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
            ...(result.proven ? { ssh_connectable: true } : {}),
            // An unsold one goes down: not for sale before it was reached again.
            ...(result.power !== 'on' && job.order_id === null ? { ssh_connectable: null } : {}),
          }
        : {}),
      ...(job.kind === 'install' ? { install_status: ok ? 'COMPLETED' : 'FAILED' } : {}),
      ...(ok && (ssh === 'set-up' || ssh === 'reset-password') ? { secret_id: job.secret_id } : {}),
      updated_at: now,
    })
    .where('id', '=', server.id)
    .execute()
  if (ok && (ssh === 'lock' || ssh === 'unlock')) {
    await tx
      .updateTable('dedicated_servers')
      .set({ locked_secret_id: ssh === 'lock' ? job.secret_id : null })
      .where('server_id', '=', server.id)
      .execute()
  }
  // Jobs' passwords are forgotten in time.
  if (server.secret_id) await deleteUnneeded(tx, [server.secret_id])
  if (server.user_id) publish(tx, { user: server.user_id, what: 'server', id: server.id })
}
