import { sql } from 'kysely'
import type { Tx } from '../db/client.js'

/** Of this database: 0 before it was ever restored. */
export const presentEpoch = sql<number>`coalesce((select (value)::int from settings where name = 'epoch'), 0)`

/**
 * After a restored back-up hosts have seen higher generations than the database: only a higher epoch makes them follow
 * it.
 */
export async function increaseEpoch(tx: Tx, now: Date): Promise<number> {
  const row = await tx
    .insertInto('settings')
    .values({ name: 'epoch', value: '1', updated_at: now })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql`to_jsonb((settings.value)::int + 1)`, updated_at: now }),
    )
    .returning(sql<number>`(value)::int`.as('epoch'))
    .executeTakeFirstOrThrow()
  return row.epoch
}

/**
 * Asked for by the database as it was before a back-up was restored: its host may have done it, and more after it, long
 * ago. What fails of it tells nothing of what is there.
 */
export async function isOfBefore(tx: Tx, epoch: number): Promise<boolean> {
  const { is } = await tx.selectNoFrom(sql<boolean>`${epoch}::int < ${presentEpoch}`.as('is')).executeTakeFirstOrThrow()
  return is
}
