import type { Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import type { JobRow } from './claim.js'

/** For passwords made after the request. False when this try no longer holds it. */
export async function setJobSecret(tx: Tx, job: JobRow, secretId: string): Promise<boolean> {
  const given = await tx
    .updateTable('jobs')
    .set({ secret_id: secretId })
    .where('id', '=', job.id)
    .where('status', '=', 'RUNNING')
    .where('attempt', '=', job.attempt)
    .returning('id')
    .executeTakeFirst()
  return given !== undefined
}

/** Ended jobs lose their password. */
export async function deleteJobSecrets(tx: Tx, jobIds: readonly string[]): Promise<void> {
  await tx.updateTable('jobs').set({ secret_id: null }).where(isOneOf('id', jobIds)).execute()
}
