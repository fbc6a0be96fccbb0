import * as text from '@vps/shared/text'
import { fen, formatYuan, type Fen } from '@vps/shared/money'
import type { OrderInFen } from '@vps/shared/orders.contract'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { findOffer, findOfferOf } from '../catalogue/queries.js'
import type { Tx } from '../db/client.js'
import { fail } from '../errors.js'
import { reserveServer } from '../servers/drivers.js'
import { postEntry } from '../wallet/post-entry.js'
import { lockOrder, lockOrderAhead, specOf } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { priceOrder } from './price.js'
import { toOrderView, withoutServer } from './queries.js'
import { publish } from '../db/tx.js'
import { must } from '../must.js'

/**
 * Money, place, address and install job in one transaction. Gives the order's view where it is known without being
 * read. INSUFFICIENT_BALANCE, NO_STOCK, MOVE_NOT_ALLOWED; PRICE_CHANGED when today's quote differs from the order's or
 * from the amount that was agreed to: then call `repriceOrder`.
 */
export async function payOrder(
  tx: Tx,
  user: User,
  { id, amount }: { id: string; amount?: Fen | undefined },
  now: Date,
): Promise<OrderInFen | null> {
  const locked = await lockOrderAhead(tx, id, user.id)
  const offer = await findOfferOf(tx, id)
  const order = locked()
  if (order.status !== 'PENDING') fail('MOVE_NOT_ALLOWED', { message: text.onlyPendingPaid })
  const { group, groupName, hasDedicatedServers, image, price } = priceOrder(offer, wantedBy(order), now)
  const agreed = amount ?? order.amount_fen
  if (price.amount !== order.amount_fen || price.amount !== agreed) fail('PRICE_CHANGED')
  const entry = {
    userId: user.id,
    type: 'ORDER_PAYMENT',
    amount: fen(-price.amount),
    reference: `order:${order.id}:1`,
    description: `支付订单 ${order.number}（${formatYuan(price.amount)}）`,
    orderId: order.id,
  } as const
  await postEntry(tx, entry, now)
  const { serverId, made } = await reserveServer(
    tx,
    { orderId: order.id, orderNumber: order.number, userId: user.id },
    {
      groupId: group.serverGroupId,
      groupName,
      spec: specOf(order),
      image,
      sshPort: order.ssh_port,
      sshKeys: order.ssh_keys,
      secretId: must(order.initial_secret_id), // only an ended order has none
      hasDedicatedServers,
    },
    now,
  )
  const paid = { server_id: serverId, paid_at: now, paid_fen: price.amount }
  const move = { id: order.id, userId: user.id, from: 'PENDING', to: 'PAID', by: 'owner' } as const
  const details = { amountFen: price.amount, serverId }
  const audit = { action: 'order.pay', subject: { kind: 'order', id: order.id }, details }
  // The host is locked by now: all that is written since goes with the commit.
  await moveOrder(tx, move, paid, now)
  await recordAudit(tx, actorOf(user), audit, now)
  if (!made) return null
  const server = {
    heldServerId: serverId,
    serverName: made.name,
    serverUsername: made.username,
    serverSshPort: made.sshPort,
    address: made.address,
    install_status: 'INSTALLING',
  } as const
  const names = { priceGroupName: group.name, groupName, imageUsername: image.username }
  return toOrderView({ ...withoutServer, ...order, ...paid, status: 'PAID', ...names, ...server }, now)
}

/** In its own transaction: the refused payment rolled back with its key, so the same key pays the new amount. */
export async function repriceOrder(tx: Tx, user: User, id: string, now: Date): Promise<void> {
  const order = await lockOrder(tx, id, user.id)
  if (order.status !== 'PENDING') return
  const { price } = priceOrder(await findOffer(tx, order.price_group_id), wantedBy(order), now)
  await tx.updateTable('orders').set({ amount_fen: price.amount, updated_at: now }).where('id', '=', order.id).execute()
  publish(tx, { user: user.id, what: 'order', id: order.id })
}

function wantedBy(order: Awaited<ReturnType<typeof lockOrder>>) {
  return {
    ...specOf(order),
    billingPeriod: order.period,
    osName: order.os_name,
    osVersion: order.os_version,
  }
}
