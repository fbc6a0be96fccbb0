import type { Tx } from '../db/client.js'
import type { JobRow } from './claim.js'

/**
 * Lets a running job bring a password that was made after it was asked for. False when this try does not hold it any
 * more.
 */
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
