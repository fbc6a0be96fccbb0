import { hasEnded } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { changeServer } from '../servers/change-server.js'
import { lockOrder } from './lock-order.js'

/** MOVE_NOT_ALLOWED without a server: once the order has ended its machine may be another's. */
export async function renameServer(
  tx: Tx,
  user: User,
  input: { id: string; serverName: string },
  now: Date,
): Promise<void> {
  const order = await lockOrder(tx, input.id, user.id)
  if (!order.server_id) fail('MOVE_NOT_ALLOWED', { message: '服务器尚未开通' })
  if (hasEnded(order.status)) fail('MOVE_NOT_ALLOWED', { message: text.serverReleased })
  await changeServer(tx, order.server_id, { name: input.serverName }, now)
  const details = { serverName: input.serverName }
  await recordAudit(
    tx,
    actorOf(user),
    { action: 'server.rename', subject: { kind: 'server', id: order.server_id }, details },
    now,
  )
  publish(tx, { user: user.id, what: 'server', id: order.server_id })
}
