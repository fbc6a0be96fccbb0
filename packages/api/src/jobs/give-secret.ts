import type { Tx } from '../db/client.js'

/** Lets a running job bring a password that was made after it was asked for. */
export async function giveJobSecret(tx: Tx, id: string, secretId: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ secret_id: secretId })
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .execute()
}
