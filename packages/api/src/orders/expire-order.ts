import { timer } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { outside, type Batch } from '../db/batch.js'
import type { Db, Tx } from '../db/client.js'
import { isOnLost } from '../fleet/lost.js'
import { enqueueMail } from '../mail/enqueue-mail.js'
import { graceFrom, latestStart } from './grace.js'
import { lockDueOrder } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { releaseServerOf } from './release-server.js'

/** Whatever they were suspended for; not while their host is declared lost (decision 0127). */
export async function findPastGrace(db: Db, now: Date, batch: Batch): Promise<string[]> {
  const due = await pastGrace(db, now).where(outside(batch, 'id')).orderBy('expires_at').limit(batch.limit).execute()
  return due.map((order) => order.id)
}

function pastGrace(db: Db, now: Date) {
  return (
    db
      .selectFrom('orders')
      .select('id')
      .where('status', '=', 'SUSPENDED')
      // By its index.
      .where('expires_at', '<=', latestStart(now))
      .where(graceFrom('orders'), '<=', latestStart(now))
      .where(({ not }) => not(isOnLost('orders.server_id')))
  )
}

/** Since a moment. */
export async function countExpired(tx: Tx, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'EXPIRED')
    .where('ended_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** EXPIRED: server wiped and released, owner told. */
export async function expireOrder(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await lockDueOrder(tx, id, 'SUSPENDED')
  if (!order || !(await pastGrace(tx, now).where('id', '=', id).executeTakeFirst())) return
  const move = { id: order.id, userId: order.user_id, from: 'SUSPENDED', to: 'EXPIRED', by: 'timer' } as const
  await moveOrder(tx, move, { ended_at: now, suspend_reason: null }, now)
  await releaseServerOf(tx, order, now)
  const details = { expiresAt: order.expires_at }
  await recordAudit(tx, timer, { action: 'order.expire', subject: { kind: 'order', id: order.id }, details }, now)
  const mail = { userId: order.user_id, orderId: order.id, suspendedBy: order.suspend_reason }
  await enqueueMail(tx, { template: 'orderExpired', ...mail })
}
