import { ConfigFault } from '../config.js'
import type { Db } from '../db/client.js'
import type { Vault } from '../vault.js'
import { opensNothing } from './secrets.js'

/** Throws ConfigFault. */
export async function refuseForeignSecret(db: Db, vault: Vault): Promise<void> {
  if (await opensNothing(db, vault))
    throw new ConfigFault('APP_SECRET opens none of the stored machine passwords: it is not the key of this database.')
}
