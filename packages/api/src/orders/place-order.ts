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

type Input = Omit<PlaceOrder, 'initialPassword'> & { id?: string; secret: SealedSecret }

/**
 * PENDING at today's quote; nothing is reserved or charged. Gives its view. TOO_MANY_PENDING, and the refusals of
 * `priceOrder`.
 */
export async function placeOrder(tx: Tx, user: User, input: Input, now: Date): Promise<OrderInFen> {
  // Two at once cannot both be the fiftieth: the second counts only once the first is there.
  await ahead(tx, lockOwner.query(tx, { userId: user.id }))
  const pending = await ahead(tx, countPending.query(tx, { userId: user.id }))
  const offer = await findOffer(tx, input.priceGroupId)
  const { group, groupName, image, price } = priceOrder(offer, input, now)
  const order = {
    id: input.id ?? uuidv7(),
    number: documentNumber('V', now),
    user_id: user.id,
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
    image_id: image.id,
    os_name: image.os_name,
    os_version: image.os_version,
    ssh_port: input.sshPort,
    initial_secret_id: input.secret.id,
    ssh_keys: await chosenSshKeys(tx, user.id, input.sshKeyIds),
    created_at: now,
    updated_at: now,
  } as const
  const details = { number: order.number, amountFen: price.amount, period: order.period }
  const entry = { action: 'order.place', subject: { kind: 'order', id: order.id }, details }
  if (must(pending[0]).count >= maxPendingOrders) fail('TOO_MANY_PENDING')
  await createSecret(tx, input.secret, now)
  await ahead(tx, insertRow('orders', order))
  await recordAudit(tx, actorOf(user), entry, now)
  publish(tx, { user: user.id, what: 'order', id: order.id })
  const names = { priceGroupName: group.name, groupName, imageUsername: image.username }
  return toOrderView({ ...withoutServer, ...order, ...names }, now)
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
