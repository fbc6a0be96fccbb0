import { reconcileSeconds, type Confirmation } from '@vps/shared/payments'
import { inTx, publish } from '../db/tx.js'
import type { Tx } from '../db/client.js'
import type { Deps } from '../deps.js'
import type { Gateway } from '../gateway.js'
import { gatewayOf } from './configured-gateway.js'
import { confirmPayment } from './confirm-payment.js'
import type { PaymentRow } from './queries.js'
import { enqueueReconciliation } from './start-recharge.js'
import { unheard } from './unheard.js'

const atOnce = 50

/**
 * By the decisions' schedule: credits the paid, gives up after 24 h. Any number of processes, each payment by one. At
 * most 50 a call.
 */
export async function reconcilePayments(deps: Deps): Promise<number> {
  if (!deps.gateway && !deps.formerGateway) return 0
  for (let done = 0; done < atOnce; done++) {
    if (deps.stopping.signal.aborted) return done
    const due = await inTx(deps.db, (tx) => claimDue(tx, deps.now()))
    if (!due) return done
    const confirmation = await confirmPayment(deps, due)
    if (due.last && isFinal(gatewayOf(deps, due.merchant), confirmation))
      await inTx(deps.db, (tx) => giveUp(tx, due.id, deps.now()))
  }
  return atOnce
}

/** An unreachable gateway ends nothing, unless its word is not asked for. Of another amount an operator was told. */
const isFinal = (gateway: Gateway | null, confirmation: Confirmation) =>
  ['unpaid', 'mismatch', 'unconfigured'].includes(confirmation) ||
  (unheard.some((one) => one === confirmation) && gateway?.confirm === 'signature')

type Due = Pick<PaymentRow, 'id' | 'out_trade_no' | 'merchant'> & { last: boolean }

async function claimDue(tx: Tx, now: Date): Promise<Due | null> {
  const payment = await tx
    .selectFrom('payments')
    .select(['id', 'out_trade_no', 'merchant', 'checks', 'created_at'])
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!payment) return null
  const elapsed = (now.getTime() - payment.created_at.getTime()) / 1000
  const next = reconcileSeconds.find((seconds) => seconds > elapsed)
  const last = next === undefined
  // The last answer may fail to come: again in an hour.
  const at = new Date(last ? now.getTime() + 3600_000 : payment.created_at.getTime() + next * 1000)
  await tx
    .updateTable('payments')
    .set({ checks: payment.checks + 1, next_check_at: at })
    .where('id', '=', payment.id)
    .execute()
  await enqueueReconciliation(tx, payment.id, at)
  return { ...payment, last }
}

async function giveUp(tx: Tx, id: string, now: Date): Promise<void> {
  const payment = await tx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  await tx
    .updateTable('payments')
    .set({ next_check_at: null, updated_at: now, ...(payment.status === 'PENDING' ? { status: 'CANCELLED' } : {}) })
    .where('id', '=', id)
    .execute()
  publish(tx, { user: payment.user_id, what: 'payment', id: payment.out_trade_no })
}
