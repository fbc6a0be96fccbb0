import type { MigrationStage } from '@vps/shared/cold-migrations'
import * as text from '@vps/shared/text'
import { sql, type Selectable, type Updateable } from 'kysely'
import { agent } from '../../actor.js'
import { recordAudit } from '../../audit/record.js'
import { forgetFrom, keepCopy } from '../../backups/rows.js'
import type { Tx } from '../../db/client.js'
import type { ColdMigrations } from '../../db/schema.generated.js'
import { publish } from '../../db/tx.js'
import { recordFinding } from '../../findings/findings.js'
import { isLostHost } from '../../fleet/lost.js'
import { freePlaces } from '../../fleet/release.js'

/** With its server's owner and order. */
export type Open = Selectable<ColdMigrations> & { userId: string | null; orderId: string | null; isActive: boolean }
/** Its server is off, or about to be. */
export type Migration = Open & { from_id: string; to_id: string; job_id: string }

/**
 * It failed, and its server is where it was: whoever asked for many and left learns which, unless it was called off, or
 * learns more of its lost host.
 */
export async function endKept(tx: Tx, open: Open, reason: string, now: Date): Promise<void> {
  await end(tx, open, reason, now)
  const { from_host_id: hostId, server_id: subject } = open
  if (reason === text.cancelledByAdmin || (await isLostHost(tx, hostId))) return
  await recordFinding(tx, { hostId, kind: 'failed-migration', subject, details: { reason } }, now)
}

/**
 * It began before a restored back-up: it may have arrived long ago, and its server have been made anew since. Nothing is
 * destroyed: what is left where it came from is a stray, and perhaps the last (decision 0134).
 */
export async function endUnclear(
  tx: Tx,
  open: Migration,
  { hostId, reason: failure }: { hostId: string; reason: string },
  now: Date,
): Promise<void> {
  await freePlaces(tx, [open.from_id], now)
  await keepCopy(tx, open.id)
  const reason = `恢复备份之前开始的迁移，结果不明：${failure}`
  await end(tx, open, reason, now)
  await recordFinding(tx, { hostId, kind: 'failed-migration', subject: open.server_id, details: { reason } }, now)
}

/** `reason` null: it is there. Its disk's copy is not needed any more. */
export async function end(tx: Tx, open: Open, reason: string | null, now: Date): Promise<void> {
  const stage = reason === null ? 'DONE' : 'FAILED'
  await setStage(tx, open, { stage, reason, ended_at: now })
  await forgetFrom(tx, { cold_migration_id: open.id }, now)
  const subject = { kind: 'server', id: open.server_id }
  const details = reason === null ? {} : { reason }
  const action = reason === null ? 'server.migrated' : 'server.migrate-failed'
  await recordAudit(tx, agent, { action, subject, details }, now)
}

type Change = Updateable<ColdMigrations> & { stage: MigrationStage }

/** Told to operators and its owner. */
export async function setStage(tx: Tx, open: Open, change: Change): Promise<void> {
  await tx.updateTable('cold_migrations').set(change).where('id', '=', open.id).execute()
  tell(tx, open.userId, open.server_id)
}

/** That something changed. */
export function tell(tx: Tx, userId: string | null, serverId: string): void {
  publish(tx, { shop: 'host' })
  if (userId) publish(tx, { user: userId, what: 'server', id: serverId })
}

/** Off for it, or about to be. */
export const lockBegun = async (tx: Tx, serverId: string) => begunOf(await lockOpen(tx, serverId))

/** Null: it waits. */
export function begunOf(open: Open | undefined): Migration | null {
  const { from_id, to_id, job_id } = open ?? {}
  return open && from_id && to_id && job_id ? { ...open, from_id, to_id, job_id } : null
}

/** Waiting or begun. */
export async function lockOpen(tx: Tx, serverId: string): Promise<Open | undefined> {
  return tx
    .selectFrom('cold_migrations as m')
    .innerJoin('servers as s', 's.id', 'm.server_id')
    .leftJoin('orders as o', 'o.id', 's.order_id')
    .selectAll('m')
    .select(['s.user_id as userId', 's.order_id as orderId'])
    .select(sql<boolean>`o.status is not distinct from 'ACTIVE'`.as('isActive'))
    .where('m.server_id', '=', serverId)
    .where('m.ended_at', 'is', null)
    .forUpdate('m')
    .executeTakeFirst()
}
