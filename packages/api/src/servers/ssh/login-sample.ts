import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import type { Figures } from './commands.js'

/** What a login to a machine has told of it, which no host reports on. */
export async function createLoginSample(tx: Tx, serverId: string, figures: Figures): Promise<void> {
  const now = {
    at: sql<Date>`clock_timestamp()`,
    cpu_usage: figures.cpuUsage,
    memory_usage: figures.memoryUsage,
    disk_usage: figures.diskUsage,
  }
  const latest = { ...now, uptime_seconds: figures.uptimeSeconds }
  await tx
    .insertInto('server_metrics')
    .values({ server_id: serverId, ...latest })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(latest))
    .execute()
  await tx
    .insertInto('metric_samples')
    .values({ server_id: serverId, ...now, at: sql<Date>`date_trunc('minute', clock_timestamp())` })
    .onConflict((conflict) => conflict.columns(['server_id', 'at']).doNothing())
    .execute()
}
