import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import type { Figures } from './drivers/ssh-acts.js'
import type { Target } from './drivers/ssh-client.js'

export type SshAccess = { serverId: string; target: Target; currentSecretId: string; ownerSecretId: string }

/** How to log in to an entered machine: while it is locked, with the password that locked it. */
export async function readSshAccess(db: Db, serverId: string): Promise<SshAccess> {
  const row = await db
    .selectFrom('servers')
    .select(['id', 'ip', 'ssh_port', 'username', 'host_key', 'secret_id', 'locked_secret_id'])
    .where('id', '=', serverId)
    .where('driver', '=', 'ssh')
    .executeTakeFirstOrThrow()
  return {
    serverId: row.id,
    target: { host: row.ip!, port: row.ssh_port, username: row.username, hostKey: row.host_key },
    currentSecretId: row.locked_secret_id ?? row.secret_id!,
    ownerSecretId: row.secret_id!,
  }
}

const atOnce = 50

/** Entered machines that were not tried for a minute: those for sale, and sold ones that were reached before. */
export async function findUntried(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .select('id')
    .where('driver', '=', 'ssh')
    .where('needs_cleaning', '=', false)
    .where('secret_id', 'is not', null)
    .where((eb) => eb.or([eb('is_sold', '=', false), eb('host_key', 'is not', null)]))
    .where((eb) =>
      eb.or([
        eb('ssh_checked_at', 'is', null),
        eb('ssh_checked_at', '<', sql<Date>`clock_timestamp() - interval '50 seconds'`),
      ]),
    )
    .orderBy('ssh_checked_at', (order) => order.asc().nullsFirst())
    .limit(atOnce)
    .execute()
  return rows.map((row) => row.id)
}

/** What a test saw: reachable with figures, or not. The first host key is remembered. */
export async function noteTest(tx: Tx, serverId: string, figures: Figures | null): Promise<void> {
  const power = figures ? 'on' : 'unknown'
  publish(tx, { shop: 'server' })
  await tx
    .updateTable('servers')
    .set((eb) => ({
      ssh_connectable: figures !== null,
      ssh_checked_at: sql`clock_timestamp()`,
      host_key: eb.fn.coalesce('host_key', eb.val(figures?.hostKey ?? null)),
      power_changed_at: sql`case when power = ${power} then power_changed_at else clock_timestamp() end`,
      power,
    }))
    .where('id', '=', serverId)
    .execute()
  if (!figures) return
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
