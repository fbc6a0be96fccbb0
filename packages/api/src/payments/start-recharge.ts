import { setTimeout } from 'node:timers/promises'
import * as labels from '@vps/shared/labels'
import { maxAskedRecharges, maxPendingRecharges, reconcileSeconds } from '@vps/shared/payments'
import type { CreatePayment, CreatePaymentReply } from '@vps/shared/payments.contract'
import * as text from '@vps/shared/text'
import { sql, type Updateable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { actorOf, type User } from '../actor.js'
import { recordAudit } from '../audit/record.js'
import type { Tx } from '../db/client.js'
import type { Payments } from '../db/schema.generated.js'
import { inTx, publish } from '../db/tx.js'
import type { Deps } from '../deps.js'
import { fail } from '../errors.js'
import { outTradeNumber } from '../numbers.js'
import { newestSettings, toSettings } from '../site/settings.js'
import type { Created, Gateway } from '../gateway.js'
import { gatewayOf } from './configured-gateway.js'
import type { PaymentRow } from './queries.js'
import { must } from '../must.js'

/** Never the customer's note (decisions, "Payment gateway"). */
const subject = labels.accountRecharge
const createSeconds = 15

/** For new ones. RECHARGE_UNAVAILABLE. */
export const openGateway = ({ gateway }: Deps): Gateway => gateway ?? fail('RECHARGE_UNAVAILABLE')

/**
 * Committed before the gateway hears of it, so that an early notify finds it. TOO_MANY_PENDING, TOO_MANY_REQUESTS;
 * RECHARGE_UNAVAILABLE for methods not offered.
 */
export async function startRecharge(
  tx: Tx,
  user: User,
  payment: CreatePayment & { clientIp: string; merchant: string | null },
  now: Date,
): Promise<string> {
  const site = toSettings(await newestSettings(tx).executeTakeFirst())
  if (!site[payment.type]) fail('RECHARGE_UNAVAILABLE', { message: text.methodUnavailable })
  await refuseTooMany(tx, user.id)
  const id = uuidv7()
  const outTradeNo = outTradeNumber()
  const firstCheck = new Date(now.getTime() + must(reconcileSeconds[0]) * 1000)
  await tx
    .insertInto('payments')
    .values({
      id,
      out_trade_no: outTradeNo,
      user_id: user.id,
      method: payment.type,
      money_fen: payment.money,
      note: payment.name || subject,
      device: payment.device,
      client_ip: payment.clientIp || null,
      status: 'PENDING',
      merchant: payment.merchant,
      next_check_at: firstCheck,
      created_at: now,
      updated_at: now,
    })
    .execute()
  const details = { amountFen: payment.money, method: payment.type }
  const created = { action: 'payment.create', subject: { kind: 'payment', id: outTradeNo }, details } as const
  await recordAudit(tx, actorOf(user), created, now)
  publish(tx, { user: user.id, what: 'payment', id: outTradeNo })
  return id
}

/**
 * Once: while another call asks, this one waits up to 10 s for what that brings (decisions, "Money"). GATEWAY_FAILED when
 * refused or unanswered (stays PENDING; the same key retries with the same values), IDEMPOTENCY_BUSY.
 */
export async function createAtGateway(deps: Deps, id: string, patienceMs = 10_000): Promise<CreatePaymentReply> {
  const payment = await claimCreation(deps, id, patienceMs)
  if (payment.creation !== 'unknown') return replyFor(payment)
  const gateway = gatewayOf(deps, payment.merchant)
  if (!gateway) fail('GATEWAY_FAILED')
  const created = await gateway.create({
    outTradeNo: payment.out_trade_no,
    method: payment.method,
    amountFen: payment.money_fen,
    subject,
    notifyUrl: `${deps.config.publicUrl}/api/payment/notify`,
    returnUrl: `${deps.config.publicUrl}/payment/success?order=${payment.out_trade_no}`,
    clientIp: payment.client_ip ?? '127.0.0.1',
    device: payment.device,
  })
  if (created.kind === 'unknown')
    deps.log.warn({ outTradeNo: payment.out_trade_no, reason: created.reason }, 'recharge: no usable reply')
  return replyFor(await inTx(deps.db, (tx) => finishCreation(tx, id, created, deps.now())))
}

/** Those given up count too, while the gateway is asked about them. */
async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const { pending, asked } = await tx
    .selectFrom('payments')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('status', '=', 'PENDING').as('pending'),
      fn.count<number>('next_check_at').as('asked'),
    ])
    .where('user_id', '=', userId)
    .where('status', '<>', 'SUCCESS')
    .executeTakeFirstOrThrow()
  if (pending >= maxPendingRecharges) fail('TOO_MANY_PENDING')
  if (asked >= maxAskedRecharges) fail('TOO_MANY_REQUESTS')
}

async function claimCreation(deps: Deps, id: string, patienceMs: number): Promise<PaymentRow> {
  const end = performance.now() + patienceMs
  for (;;) {
    const payment = await tryClaim(deps, id)
    if (payment) return payment
    if (performance.now() >= end) fail('IDEMPOTENCY_BUSY')
    await setTimeout(lookMs)
  }
}
const lookMs = 200

/** Null while another call asks. */
async function tryClaim(deps: Deps, id: string): Promise<PaymentRow | null> {
  const taken = await deps.db
    .updateTable('payments')
    .set({ creating_until: sql<Date>`clock_timestamp() + make_interval(secs => ${createSeconds})` })
    .where('id', '=', id)
    .where('creation', '=', 'unknown')
    .where((eb) => eb.or([eb('creating_until', 'is', null), eb('creating_until', '<', sql<Date>`clock_timestamp()`)]))
    .returningAll()
    .executeTakeFirst()
  if (taken) return taken
  const payment = await deps.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return payment.creation === 'unknown' ? null : payment
}

function creationOf(payment: PaymentRow, created: Created): Updateable<Payments> {
  if (created.kind === 'created') {
    return {
      creation: 'created',
      qr_code: created.qrCode,
      pay_url: created.payUrl,
      trade_no: payment.trade_no ?? created.tradeNo,
    }
  }
  if (created.kind !== 'refused') return {}
  const failed = payment.status === 'PENDING' ? ({ status: 'FAILED' } as const) : {}
  return { creation: 'refused', failure: created.message.slice(0, 200), ...failed }
}

/** Writes down what the gateway answered. */
export async function finishCreation(tx: Tx, id: string, created: Created, now: Date): Promise<PaymentRow> {
  const payment = await tx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  const row = await tx
    .updateTable('payments')
    .set({ ...creationOf(payment, created), creating_until: null, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  publish(tx, { user: payment.user_id, what: 'payment', id: payment.out_trade_no })
  return row
}

function replyFor(payment: PaymentRow): CreatePaymentReply {
  if (payment.creation === 'refused') fail('GATEWAY_FAILED', { message: payment.failure ?? text.paymentCreateFailed })
  if (payment.creation === 'unknown') fail('GATEWAY_FAILED')
  return {
    code: 1,
    msg: text.paymentCreated,
    qrCode: payment.qr_code,
    payUrl: payment.pay_url,
    outTradeNo: payment.out_trade_no,
  }
}
