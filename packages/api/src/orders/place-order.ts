import { maxPendingOrders } from '@vps/shared/orders'
import type { PlaceOrder } from '@vps/shared/orders.contract'
import { v7 as uuidv7 } from 'uuid'
import type { User } from '../actor.js'
import { actorOf } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import { publish } from '../db/tx.js'
import { fail } from '../errors.js'
import { documentNumber } from '../numbers.js'
import { createSecret } from '../secrets/secrets.js'
import { chosenSshKeys } from '../accounts/chosen-ssh-keys.js'
import type { SealedSecret } from '../vault.js'
import { priceOrder } from './price.js'

type Input = Omit<PlaceOrder, 'initialPassword'> & { secret: SealedSecret }

/** PENDING at today's quote; nothing is reserved or charged. TOO_MANY_PENDING, and the refusals of `priceOrder`. */
export async function placeOrder(tx: Tx, user: User, input: Input, now: Date): Promise<string> {
  const { group, image, price } = await priceOrder(tx, input, now)
  const sshKeys = await chosenSshKeys(tx, user.id, input.sshKeyIds)
  await refuseTooManyPending(tx, user.id)
  await createSecret(tx, input.secret, now)
  const id = uuidv7()
  const number = documentNumber('V', now)
  await tx
    .insertInto('orders')
    .values({
      id,
      number,
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
      ssh_keys: sshKeys,
      created_at: now,
      updated_at: now,
    })
    .execute()
  const details = { number, amountFen: price.amount, period: input.billingPeriod }
  await recordAudit(tx, actorOf(user), { action: 'order.place', subject: { kind: 'order', id }, details }, now)
  publish(tx, { user: user.id, what: 'order', id })
  return id
}

async function refuseTooManyPending(tx: Tx, userId: string): Promise<void> {
  // Two at once cannot both be the fiftieth.
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('status', '=', 'PENDING')
    .executeTakeFirstOrThrow()
  if (count >= maxPendingOrders) fail('TOO_MANY_PENDING')
}
