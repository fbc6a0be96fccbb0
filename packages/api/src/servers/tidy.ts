import type { Tx } from '../db/client.js'
import { deleteConnectionTests } from './kvm/connection-tests.js'

/** Forgets answered connection tests. */
export async function tidyServers(tx: Tx, before: (hours: number) => Date): Promise<void> {
  await deleteConnectionTests(tx, before(1))
}
