import { maxPendingOrders } from '@vps/shared/orders'
import type { OrderInFen, PlaceOrder } from '@vps/shared/orders.contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { User } from '../actor.js'
import { actorOf } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import { findOffer } from '../catalogue/queries.js'
import { ahead } from '../db/ahead.js'
import type { Tx } from '../db/client.js'
import { insertRow, statement, type Given } from '../db/statement.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { must } from '../must.js'
import { documentNumber } from '../numbers.js'
import { createSecret } from '../secrets/secrets.js'
import { chosenSshKeys } from '../accounts/chosen-ssh-keys.js'
import type { SealedSecret } from '../vault.js'
import { priceOrder } from './price.js'
import { toOrderView, withoutServer } from './queries.js'

const noSshKeys = '独立服务器以密码登录，不能预置 SSH 密钥'
const noKeys = { message: noSshKeys, errors: { sshKeyIds: noSshKeys } }

/** As many orders as secrets; `id` is the first's. */
type Input = Omit<PlaceOrder, 'initialPassword' | 'quantity'> & { id?: string; secrets: readonly SealedSecret[] }

/**
 * PENDING at today's quote, each; nothing is reserved or charged. Several are one purchase, paid together (`payOrder`).
 * Gives the first's view. TOO_MANY_PENDING, and refusals of `priceOrder`.
 */
export async function placeOrder(tx: Tx, user: User, input: Input, now: Date): Promise<OrderInFen> {
  // Two at once cannot both be the fiftieth: the second counts once the first is there.
  await ahead(tx, lockOwner.query(tx, { userId: user.id }))
  const pending = await ahead(tx, countPending.query(tx, { userId: user.id }))
  const offer = await findOffer(tx, input.priceGroupId)
  const { group, groupName, image, price } = priceOrder(offer, input, now)
  if (group.dedicated && input.sshKeyIds.length > 0) fail('INVALID_INPUT', noKeys)
  const alike = {
    user_id: user.id,
    purchase_id: input.secrets.length > 1 ? uuidv7() : null,
    price_group_id: group.id,
    status: 'PENDING',
    amount_fen: price.amount,
    period: input.billingPeriod,
    auto_renewal: input.autoRenewal,
    cpu_cores: input.cpuCores,
    memory_gb: input.memoryGb,
    storage_gb: input.storageGb,
    bandwidth_mbps: input.bandwidthMbps,
    ip_count: input.ipCount,
    backups: input.backups,
    image_id: image.id,
    os_name: image.os_name,
    os_version: image.os_version,
    ssh_port: input.sshPort,
    ssh_keys: await chosenSshKeys(tx, user.id, input.sshKeyIds),
    created_at: now,
    updated_at: now,
  } as const
  const orders = input.secrets.map((secret, n) => ({
    id: (n === 0 ? input.id : null) ?? uuidv7(),
    number: documentNumber('V', now),
    initial_secret_id: secret.id,
    ...alike,
  }))
  if (must(pending[0]).count + orders.length > maxPendingOrders) fail('TOO_MANY_PENDING')
  for (const secret of input.secrets) await createSecret(tx, secret, now)
  for (const order of orders) {
    const details = { number: order.number, amountFen: price.amount, period: order.period }
    await ahead(tx, insertRow('orders', order))
    await recordAudit(
      tx,
      actorOf(user),
      { action: 'order.place', subject: { kind: 'order', id: order.id }, details },
      now,
    )
    publish(tx, { user: user.id, what: 'order', id: order.id })
  }
  const names = {
    priceGroupName: group.name,
    serverGroupId: group.serverGroupId,
    groupName,
    imageUsername: image.username,
  }
  return toOrderView({ ...withoutServer, ...must(orders[0]), ...names }, now)
}

const lockOwner = statement((db, given: Given<{ userId: string }>) =>
  db.selectFrom('users').select('id').where('id', '=', given('userId')).forNoKeyUpdate(),
)
const countPending = statement((db, given: Given<{ userId: string }>) =>
  db
    .selectFrom('orders')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', given('userId'))
    .where('status', '=', 'PENDING'),
)
