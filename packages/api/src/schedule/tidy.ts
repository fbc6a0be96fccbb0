import { sql } from 'kysely'
import { deleteEmailChanges } from '../accounts/email-changes.js'
import { deleteAlerts } from '../alerts/alerts.js'
import type { Tx } from '../db/client.js'
import { deleteIdempotencyKeys } from '../idempotency.js'
import { deleteMails } from '../mail/mails.js'
import { deleteLatency } from '../operations/latency.js'
import { deleteRateLimits } from '../rate-limits.js'
import { tidyServers } from '../servers/tidy.js'
import { tidyRemoteConsoles } from '../remote/remote-consoles.js'
import { deleteServiceDays } from '../status/look.js'

const hour = 3600_000

/** Forgets what has outlived its use. */
export async function tidy(tx: Tx, now: Date): Promise<void> {
  // A busy shop's keys and tests are many.
  await sql`set local statement_timeout = '10min'`.execute(tx)
  const before = (hours: number) => new Date(now.getTime() - hours * hour)
  await deleteRateLimits(tx, before(1))
  await deleteIdempotencyKeys(tx, before(24))
  await deleteEmailChanges(tx, before(24 * 30))
  await tidyServers(tx, before)
  await tidyRemoteConsoles(tx, before(24 * 30), now)
  await deleteMails(tx, before(24 * 180))
  await deleteAlerts(tx, before(24 * 30))
  await deleteGivenUp(tx, before(24 * 180))
  await deleteLatency(tx, before(24 * 8))
  await deleteServiceDays(tx, before(24 * 400))
}

/** The job library keeps the tasks that it gave up. */
async function deleteGivenUp(tx: Tx, before: Date): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where attempts >= max_attempts and created_at < ${before}`.execute(tx)
}
