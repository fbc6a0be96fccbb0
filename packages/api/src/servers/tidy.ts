import type { Tx } from '../db/client.js'
import { forgetConnectionTests } from './kvm/connection-tests.js'
import { forgetSamples } from './ssh/samples.js'

/** Forgets answered connection tests, and samples that no chart reaches any more. */
export async function tidyServers(tx: Tx, before: (hours: number) => Date): Promise<void> {
  await forgetConnectionTests(tx, before(1))
  await forgetSamples(tx, before(24 * 31))
}
