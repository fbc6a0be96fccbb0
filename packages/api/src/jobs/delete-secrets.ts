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

/** Ended jobs lose their password. */
export async function deleteJobSecrets(tx: Tx, jobIds: readonly string[]): Promise<void> {
  await tx.updateTable('jobs').set({ secret_id: null }).where(isOneOf('id', jobIds)).execute()
}
