import type { Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { endedStatuses } from '@vps/shared/orders'

/** Of ended orders. Gives which. */
export async function deleteInitialPasswords(tx: Tx, atOnce: number): Promise<string[]> {
  const ended = await tx
    .selectFrom('orders')
    .select(['id', 'initial_secret_id'])
    .where('initial_secret_id', 'is not', null)
    .where('status', 'in', endedStatuses)
    .limit(atOnce)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const ids = ended.map(({ id }) => id)
  await tx.updateTable('orders').set({ initial_secret_id: null }).where(isOneOf('id', ids)).execute()
  return ended.flatMap((order) => order.initial_secret_id ?? [])
}
