import type { Tx } from '../db/client.js'
import { forgetInitialPasswords } from '../orders/delete-initial-passwords.js'
import { forgetJobPasswords } from '../servers/delete-secrets.js'

/** Forgets machine passwords that nobody needs: of ended orders, and of jobs a day after their end. Gives how many were deleted. */
export async function forgetSecrets(tx: Tx, now: Date, atOnce = 5000): Promise<number> {
  return forgetJobPasswords(tx, now, atOnce, await forgetInitialPasswords(tx, atOnce))
}
