import { openJobStatuses } from '@vps/shared/jobs'
import { sql } from 'kysely'
import type { Tx } from '../db/client.js'
import { withLine } from './log-line.js'

/** Of this database: 0 before it was ever restored. */
export const presentEpoch = sql<number>`coalesce((select (value)::int from settings where name = 'epoch'), 0)`

/**
 * After a restored back-up hosts have seen higher generations than the database: only a higher epoch makes them follow
 * it. At least the minutes since 2026: they have seen the epoch that the same back-up was given when it was restored before.
 */
export async function increaseEpoch(tx: Tx, now: Date): Promise<number> {
  await endReverts(tx, now)
  const minutes = Math.floor((now.getTime() - Date.UTC(2026, 0)) / 60_000)
  const row = await tx
    .insertInto('settings')
    .values({ name: 'epoch', value: JSON.stringify(Math.max(1, minutes)), updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: sql`to_jsonb(greatest((settings.value)::int + 1, ${minutes}::int))`, updated_at: now }),
    )
    .returning(sql<number>`(value)::int`.as('epoch'))
    .executeTakeFirstOrThrow()
  return row.epoch
}

/** Nothing tells a disk that was taken back, and written to since, from one that is still to be: it makes no generation. */
async function endReverts(tx: Tx, now: Date): Promise<void> {
  const error = '恢复备份之前的操作，结果不明'
  await tx
    .updateTable('jobs')
    .set({ status: 'CANCELLED', error, finished_at: now, lease_until: null, log: withLine(error) })
    .where('kind', '=', 'revert')
    .where('status', 'in', openJobStatuses)
    .execute()
}

/**
 * Asked for by the database as it was before a back-up was restored: its host may have done it, and more after it, long
 * ago. What fails of it tells nothing of what is there.
 */
export async function isOfBefore(tx: Tx, epoch: number): Promise<boolean> {
  const { is } = await tx.selectNoFrom(sql<boolean>`${epoch}::int < ${presentEpoch}`.as('is')).executeTakeFirstOrThrow()
  return is
}
