import { sql } from 'kysely'
import type { Tx } from '../../db/client.js'
import type { Figures } from './commands.js'

/** The last figures of a machine that no host reports on. */
export async function updateLoginFigures(tx: Tx, serverId: string, figures: Figures): Promise<void> {
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
}

/** With their machine. */
export async function deleteLoginFigures(tx: Tx, serverId: string): Promise<void> {
  await tx.deleteFrom('server_metrics').where('server_id', '=', serverId).execute()
}
