import { sql } from 'kysely'
import { forgetEmailChanges } from '../accounts/email-changes.js'
import type { Tx } from '../db/client.js'
import { forgetHostSamples } from '../fleet/report.js'
import { forgetKeys } from '../idempotency.js'
import { forgetLatency } from '../operations/latency.js'
import { forgetRateLimits } from '../rate-limits.js'
import { tidyServers } from '../servers/tidy.js'

const hour = 3600_000

/**
 * Forgets what has outlived its use: windows of rate limits, idempotency keys after 24 h, answered connection tests, samples
 * that no chart reaches any more.
 */
export async function tidy(tx: Tx, now: Date): Promise<void> {
  // Nobody waits for it, and a month's samples of a large fleet are many.
  await sql`set local statement_timeout = '10min'`.execute(tx)
  const before = (hours: number) => new Date(now.getTime() - hours * hour)
  await forgetRateLimits(tx, before(1))
  await forgetKeys(tx, before(24))
  await forgetEmailChanges(tx, before(24 * 30))
  await tidyServers(tx, before)
  await forgetHostSamples(tx, before(24 * 31))
  await forgetLatency(tx, before(24 * 8))
}
