import type { Tx } from '../db/client.js'
import { deleteConnectionTests } from './kvm/connection-tests.js'

const sampleHours = 24 * 31

/** Forgets answered connection tests, and samples that no chart reaches any more. */
export async function tidyServers(tx: Tx, before: (hours: number) => Date): Promise<void> {
  await deleteConnectionTests(tx, before(1))
  await tx.deleteFrom('metric_samples').where('at', '<', before(sampleHours)).execute()
}
