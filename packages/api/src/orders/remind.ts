import { remindedPeriods, reminderDays, type ReminderDays } from '@vps/shared/orders'
import { sql } from 'kysely'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { isOnLost } from '../fleet/lost.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { lockDueOrder } from './lock-order.js'
import { isLost } from './renew-order.js'
import { readRenewalsAhead } from './renewals-ahead.js'
import { must } from '../must.js'

const dayMs = 86_400_000

/** Due and not yet recorded; not of an end that does not come while its host is declared lost. */
export async function findUnreminded(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await db
    .selectFrom('orders as o')
    .select('o.id')
    .where('o.status', '=', 'ACTIVE')
    .where('o.period', 'in', remindedPeriods)
    .where('o.expires_at', '>', now)
    .where('o.expires_at', '<=', new Date(now.getTime() + reminderDays[0] * dayMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('order_reminders as r')
            .select('r.days')
            .whereRef('r.order_id', '=', 'o.id')
            .whereRef('r.expires_at', '=', 'o.expires_at')
            .where('r.days', '=', nearest(now)),
        ),
      ),
    )
    .where(({ not }) => not(isOnLost('o.server_id')))
    .where(outside(batch, 'o.id'))
    .orderBy('o.expires_at')
    .limit(batch.limit)
    .execute()
  return due.map((order) => order.id)
}

const nearest = (now: Date) =>
  sql<ReminderDays>`case ${sql.join(
    reminderDays
      .toReversed()
      .map((days) => sql`when o.expires_at <= ${new Date(now.getTime() + days * dayMs)} then ${sql.lit(days)}`),
    sql` `,
  )} end`

/** Once per distance and end; after a pause of ours only the nearest. */
export async function remind(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, 'ACTIVE')
  if (!order || must(order.expires_at) <= now || (await isLost(tx, order.id))) return
  const expiresAt = must(order.expires_at)
  const reached = reminderDays.filter((days) => expiresAt.getTime() - days * dayMs <= now.getTime())
  const last = reached.at(-1)
  if (last === undefined) return
  const written = await tx
    .insertInto('order_reminders')
    .values(reached.map((days) => ({ order_id: id, expires_at: expiresAt, days, sent: days === last, at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('days')
    .execute()
  if (!written.some(({ days }) => days === last)) return
  const mail = { userId: order.user_id, orderId: id, days: last, expiresAt: expiresAt.toISOString() }
  const { amount, lacking } = await readRenewalsAhead(tx, order.user_id, expiresAt, now)
  await enqueueMail(tx, {
    template: 'orderExpiring',
    ...mail,
    ...(order.auto_renewal && { renewals: { amount, lacking } }),
  })
}
