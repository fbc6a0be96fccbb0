import { backupChecksWords, checkDays, checkLateDays, firstCheck } from '@vps/shared/backups'
import type { BackupRepositoryView } from '@vps/shared/backups.contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.js'
import { recordFindingOfServer, resolveOf } from '../findings/findings.js'

/** A row per server and repository, while there are backups. */

const dayMs = 86_400_000
const daysAfter = (now: Date, days: number) => new Date(now.getTime() + days * dayMs)

/** A backup is there now: the first check follows within a week, by the server's id, so that not all come at once. */
export async function expectChecks(tx: Tx, serverId: string, repositoryId: string, now: Date): Promise<void> {
  await tx
    .insertInto('backup_checks')
    .values({
      server_id: serverId,
      repository_id: repositoryId,
      next_at: firstCheck(serverId, now),
      late_at: daysAfter(now, checkLateDays),
    })
    .onConflict((conflict) => conflict.columns(['server_id', 'repository_id']).doNothing())
    .execute()
}

type Pair = { serverId: string; repositoryId: string }

/** Where nothing is kept, nothing is checked or found. */
export async function forgetCheck(tx: Tx, { serverId, repositoryId }: Pair, now: Date): Promise<void> {
  const kept = await tx
    .selectFrom('backups')
    .select('id')
    .where('server_id', '=', serverId)
    .where('repository_id', '=', repositoryId)
    .limit(1)
    .executeTakeFirst()
  if (kept) return
  await ofPair(tx.deleteFrom('backup_checks'), { serverId, repositoryId }).execute()
  await resolveSettled(tx, serverId, now)
}

type Checked = Pair & { part: number; isWhole: boolean; detail: string }

/** A check's findings. A damaged one is looked at daily, the same part again. */
export async function markChecked(tx: Tx, hostId: string | null, checked: Checked, now: Date): Promise<void> {
  const { serverId, part, isWhole, detail } = checked
  const { numUpdatedRows } = await ofPair(tx.updateTable('backup_checks'), checked)
    .set({
      checked_at: now,
      is_whole: isWhole,
      detail,
      next_at: daysAfter(now, isWhole ? checkDays : 1),
      late_at: daysAfter(now, checkLateDays),
      ...(isWhole ? { part } : {}),
    })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  if (!isWhole)
    await recordFindingOfServer(tx, { hostId, kind: 'damaged-backup', subject: serverId, details: { detail } }, now)
  await resolveSettled(tx, serverId, now)
}

/** Puts it off until it is known whether this one comes about. */
export async function tryCheckLater(tx: Tx, pair: Pair, at: Date): Promise<void> {
  await ofPair(tx.updateTable('backup_checks'), pair).set({ next_at: at }).execute()
}

async function resolveSettled(tx: Tx, serverId: string, now: Date): Promise<void> {
  const { damaged, late } = await tx
    .selectFrom('backup_checks')
    .select([
      sql<boolean>`coalesce(bool_or(not is_whole), false)`.as('damaged'),
      sql<boolean>`coalesce(bool_or(late_at <= ${now}), false)`.as('late'),
    ])
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow()
  if (!damaged) await resolveOf(tx, 'damaged-backup', serverId, now)
  if (!late) await resolveOf(tx, 'unchecked-backup', serverId, now)
}

/** For whoever keeps them. */
export async function readChecks(db: Db, now: Date): Promise<BackupRepositoryView['check']> {
  const { lastAt, ...counts } = await db
    .selectFrom('backup_checks')
    .select([
      sql<number>`count(distinct server_id)::int`.as('servers'),
      sql<number>`(count(distinct server_id) filter (where not is_whole))::int`.as('damaged'),
      sql<number>`(count(distinct server_id) filter (where late_at <= ${now}))::int`.as('late'),
      sql<Date | null>`max(checked_at)`.as('lastAt'),
    ])
    .executeTakeFirstOrThrow()
  return {
    ...counts,
    lastAt: lastAt?.toISOString() ?? null,
    isOk: lastAt ? counts.damaged === 0 : null,
    words: backupChecksWords({ ...counts, isChecked: lastAt !== null }),
  }
}

function ofPair<Query extends { where(column: 'server_id' | 'repository_id', is: '=', id: string): Query }>(
  query: Query,
  { serverId, repositoryId }: Pair,
): Query {
  return query.where('server_id', '=', serverId).where('repository_id', '=', repositoryId)
}
