import { fen, formatYuan, sumFen, type Fen } from '@vps/shared/money'
import type { OrderInFen } from '@vps/shared/orders.contract'
import { timesQuote } from '@vps/shared/pricing'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { findOfferOf } from '../catalogue/queries.js'
import type { Tx } from '../db/client.js'
import { isOneOf } from '../db/page.js'
import { fail } from '../errors.js'
import { reserveServers } from '../servers/drivers.js'
import { postEntry } from '../wallet/post-entry.js'
import { lockUnpaidAhead, specOf, type OrderRow } from './lock-order.js'
import { moveOrder } from './move-order.js'
import { priceStanding } from './price.js'
import { toOrderView, withoutServer } from './queries.js'
import { publish } from '../db/tx.js'
import { must } from '../must.js'

/**
 * Money, place, address and install job in one transaction, for the order and all unpaid ones placed with it, or none.
 * Gives the view where no read is needed. INSUFFICIENT_BALANCE, NO_STOCK, MOVE_NOT_ALLOWED; PRICE_CHANGED when today's
 * quote differs from any order's or the agreed amount: then call `repriceOrder`.
 */
export async function payOrder(
  tx: Tx,
  user: User,
  { id, amount }: { id: string; amount?: Fen | undefined },
  now: Date,
): Promise<OrderInFen | null> {
  const locked = await lockUnpaidAhead(tx, id, user.id)
  const offer = await findOfferOf(tx, id)
  const orders = locked()
  const [first] = orders // the others are alike
  const { group, groupName, terms, hasDedicatedServers, image, price } = priceStanding(offer, wantedBy(first), now)
  const agreed = amount ?? sumFen(orders.map((order) => order.amount_fen))
  const isAsPlaced = orders.every((order) => order.amount_fen === price.amount)
  if (!isAsPlaced || agreed !== timesQuote(price, orders.length).amount) fail('PRICE_CHANGED')
  for (const order of orders) await postEntry(tx, entryOf(order), now)
  const request = {
    groupId: group.serverGroupId,
    groupName,
    spec: specOf(first),
    terms,
    image,
    sshPort: first.ssh_port,
    sshKeys: first.ssh_keys,
    hasDedicatedServers,
  }
  const reserved = await reserveServers(tx, orders.map(tenantOf), request, now)
  // Hosts are locked by now: what is written since goes with the commit.
  for (const [n, order] of orders.entries()) await markPaid(tx, user, order, must(reserved[n]).serverId, now)
  const { serverId, made } = must(reserved[0])
  if (!made || first.purchase_id !== null) return null
  const server = {
    heldServerId: serverId,
    driver: made.driver,
    serverName: made.name,
    serverUsername: made.username,
    serverSshPort: made.sshPort,
    address: made.address,
    nat: made.nat,
    install_status: 'INSTALLING',
  } as const
  const names = {
    priceGroupName: group.name,
    serverGroupId: group.serverGroupId,
    groupName,
    imageUsername: image.username,
  }
  return toOrderView({ ...withoutServer, ...first, ...paidWith(first, serverId, now), ...names, ...server }, now)
}

const entryOf = (order: OrderRow) =>
  ({
    userId: order.user_id,
    type: 'ORDER_PAYMENT',
    amount: fen(-order.amount_fen),
    reference: `order:${order.id}:1`,
    description: `支付订单 ${order.number}（${formatYuan(order.amount_fen)}）`,
    orderId: order.id,
  }) as const

const tenantOf = (order: OrderRow) => ({
  orderId: order.id,
  orderNumber: order.number,
  userId: order.user_id,
  secretId: must(order.initial_secret_id), // only an ended order has none
})

const paidWith = (order: OrderRow, serverId: string, now: Date) =>
  ({ status: 'PAID', server_id: serverId, paid_at: now, paid_fen: order.amount_fen }) as const

async function markPaid(tx: Tx, user: User, order: OrderRow, serverId: string, now: Date): Promise<void> {
  const move = { id: order.id, userId: user.id, from: 'PENDING', to: 'PAID', by: 'owner' } as const
  const details = { amountFen: order.amount_fen, serverId }
  await moveOrder(tx, move, paidWith(order, serverId, now), now)
  await recordAudit(tx, actorOf(user), { action: 'order.pay', subject: { kind: 'order', id: order.id }, details }, now)
}

/**
 * With those paid together. In its own transaction: the refused payment took back its key, so the same key pays the new
 * amount. MOVE_NOT_ALLOWED unless the order is unpaid.
 */
export async function repriceOrder(tx: Tx, user: User, id: string, now: Date): Promise<void> {
  const locked = await lockUnpaidAhead(tx, id, user.id)
  const offer = await findOfferOf(tx, id)
  const orders = locked()
  const { price } = priceStanding(offer, wantedBy(orders[0]), now)
  await tx
    .updateTable('orders')
    .set({ amount_fen: price.amount, updated_at: now })
    .where(
      isOneOf(
        'id',
        orders.map((order) => order.id),
      ),
    )
    .execute()
  publish(tx, ...orders.map((order) => ({ user: user.id, what: 'order', id: order.id }) as const))
}

function wantedBy(order: OrderRow) {
  return {
    ...specOf(order),
    billingPeriod: order.period,
    osName: order.os_name,
    osVersion: order.os_version,
  }
}
