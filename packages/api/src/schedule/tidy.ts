import { sql } from 'kysely'
import type { Tx } from '../db/client.js'

const hour = 3600_000

/**
 * Forgets what has outlived its use: windows of rate limits, idempotency keys after 24 h, answered connection tests, samples
 * that no chart reaches any more.
 */
export async function tidy(tx: Tx, now: Date): Promise<void> {
  // Nobody waits for it, and a month's samples of a large fleet are many.
  await sql`set local statement_timeout = '10min'`.execute(tx)
  const before = (hours: number) => new Date(now.getTime() - hours * hour)
  await tx.deleteFrom('rate_limits').where('window_end', '<', before(1)).execute()
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', before(24)).execute()
  await tx
    .deleteFrom('email_changes')
    .where('changed_at', '<', before(24 * 30))
    .execute()
  await tx.deleteFrom('connection_tests').where('asked_at', '<', before(1)).execute()
  await tx
    .deleteFrom('metric_samples')
    .where('at', '<', before(24 * 31))
    .execute()
  await tx
    .deleteFrom('host_samples')
    .where('at', '<', before(24 * 31))
    .execute()
  await tx
    .deleteFrom('request_minutes')
    .where('at', '<', before(24 * 8))
    .execute()
}
