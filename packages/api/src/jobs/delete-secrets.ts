import type { Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'

/** Nobody wants what waits for a server. */
export async function supersedeQueued(tx: Tx, serverId: string, now: Date): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ status: 'SUPERSEDED', finished_at: now })
    .where('server_id', '=', serverId)
    .where('status', '=', 'QUEUED')
    .execute()
}

/** What runs on a server is done for nobody any more: not tried again. */
export async function abortRunning(tx: Tx, serverId: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ abort_requested: true })
    .where('server_id', '=', serverId)
    .where('status', '=', 'RUNNING')
    .execute()
}

/** Ended jobs lose their password. */
export async function deleteJobSecrets(tx: Tx, jobIds: readonly string[]): Promise<void> {
  await tx.updateTable('jobs').set({ secret_id: null }).where(isOneOf('id', jobIds)).execute()
}
