import { graceHours } from '@vps/shared/deadlines'
import { sql } from 'kysely'
import type { Db } from '../db/client.js'
import { lastReturn } from '../fleet/lost.js'

/**
 * From the end of service, not the suspension; where its host was lost meanwhile, from that host's return: nobody could
 * pay before (decision 0127).
 */
export const graceFrom = (order: 'o' | 'orders') =>
  sql<Date>`greatest(${sql.ref(`${order}.expires_at`)}, ${lastReturn(`${order}.server_id`)})`

/** Grace that began no later is over. */
export const latestStart = (now: Date) => new Date(now.getTime() - graceHours * 3600_000)

export async function isPastGrace(db: Db, id: string, now: Date): Promise<boolean> {
  const { from } = await db
    .selectFrom('orders as o')
    .select(graceFrom('o').as('from'))
    .where('o.id', '=', id)
    .executeTakeFirstOrThrow()
  return from <= latestStart(now)
}
