import type { Tx } from '../db/client.js'
import { deleteConnectionTests } from './kvm/connection-tests.js'
import { deleteSamples } from './samples.js'

/** Forgets answered connection tests, and samples that no chart reaches any more. */
export async function tidyServers(tx: Tx, before: (hours: number) => Date): Promise<void> {
  await deleteConnectionTests(tx, before(1))
  await deleteSamples(tx, before(24 * 31))
}
