import type { Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'

/** What waits for a server is not wanted any more. */
export async function supersedeQueued(tx: Tx, serverId: string, now: Date): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ status: 'SUPERSEDED', finished_at: now })
    .where('server_id', '=', serverId)
    .where('status', '=', 'QUEUED')
    .execute()
}

/** Ended jobs bring their password no more. */
export async function deleteJobSecrets(tx: Tx, jobIds: readonly string[]): Promise<void> {
  await tx.updateTable('jobs').set({ secret_id: null }).where(isOneOf('id', jobIds)).execute()
}
