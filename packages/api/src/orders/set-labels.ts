import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { lockOrder } from './lock-order.js'

/** In the place of those that were there. */
export async function setLabels(tx: Tx, user: User, input: { id: string; labels: string[] }, now: Date): Promise<void> {
  const { id, labels } = input
  await lockOrder(tx, id, user.id)
  await tx.updateTable('orders').set({ labels, updated_at: now }).where('id', '=', id).execute()
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'order.labels', subject: { kind: 'order', id }, details: { labels } },
    now,
  )
  publish(tx, { user: user.id, what: 'order', id })
}
