import type { Tx } from '../db/client.js'
import { deleteInitialPasswords } from '../orders/delete-initial-passwords.js'
import { deleteJobPasswords } from '../servers/delete-secrets.js'

/** Of ended orders, and of jobs a day after their end. */
export async function deleteSecrets(tx: Tx, now: Date, atOnce = 5000): Promise<number> {
  return deleteJobPasswords(tx, now, atOnce, await deleteInitialPasswords(tx, atOnce))
}
