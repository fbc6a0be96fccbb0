import { reconcileSeconds, type Confirmation } from '@vps/shared/payments'
import { sql } from 'kysely'
import { inTx, publish } from '../db/tx.js'
import type { Tx } from '../db/client.js'
import type { Deps } from '../deps.js'
import type { Gateway } from '../gateway.js'
import { gatewayOf } from './configured-gateway.js'
import { confirmPayment } from './confirm-payment.js'
import type { PaymentRow } from './queries.js'
import { noteHeard, tellAway, type Heard } from './tell-away.js'
import { isUnheard } from './unheard.js'

const atOnce = 50

/**
 * By the decisions' schedule: credits the paid, gives up after 24 h. Any number of processes, each payment by one. At
 * most 50 a call; of a gateway that is silent one, so that it holds up no other's.
 */
export async function reconcilePayments(deps: Deps): Promise<number> {
  if (!deps.gateway && !deps.formerGateway) return 0
  const silent: string[] = []
  const heard: Heard = new Map()
  let done = 0
  for (; done < atOnce && !deps.stopping.signal.aborted; done++) {
    const due = await inTx(deps.db, (tx) => claimDue(tx, silent, deps.now()))
    if (!due) break
    const gateway = gatewayOf(deps, due.merchant)
    const confirmation = await confirmPayment(deps, due)
    noteHeard(heard, gateway, due.id, confirmation)
    // Where its word is not asked for, each ends with its day.
    if (confirmation === 'silent' && gateway?.confirm === 'query') silent.push(due.merchant ?? '')
    if (due.last && isFinal(gateway, confirmation)) await inTx(deps.db, (tx) => giveUp(tx, due.id, deps.now()))
  }
  await inTx(deps.db, async (tx) => {
    await putOff(tx, silent, deps.now())
    await tellAway(tx, heard, [deps.gateway, deps.formerGateway], deps.now())
  })
  return done
}

/** An unreachable gateway ends nothing, unless its word is not asked for. Of another amount an operator was told. */
const isFinal = (gateway: Gateway | null, confirmation: Confirmation) =>
  ['unpaid', 'mismatch', 'unconfigured'].includes(confirmation) ||
  (isUnheard(confirmation) && gateway?.confirm === 'signature')

type Due = Pick<PaymentRow, 'id' | 'out_trade_no' | 'merchant'> & { last: boolean }

async function claimDue(tx: Tx, silent: readonly string[], now: Date): Promise<Due | null> {
  const payment = await tx
    .selectFrom('payments')
    .select(['id', 'out_trade_no', 'merchant', 'checks', 'created_at'])
    .where('next_check_at', '<=', now)
    .$if(silent.length > 0, (query) => query.where(merchantOrNone, 'not in', silent))
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
  return { ...payment, last }
}

/** What a silent gateway was not asked for is not late. */
async function putOff(tx: Tx, silent: readonly string[], now: Date): Promise<void> {
  if (silent.length === 0) return
  await tx
    .updateTable('payments')
    .set({ next_check_at: new Date(now.getTime() + silentPauseMs) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('next_check_at', '<=', now)
        .where(merchantOrNone, 'in', silent)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}
const silentPauseMs = 60_000

/** None: of the time before it was kept. */
const merchantOrNone = sql`coalesce(merchant, '')`

async function giveUp(tx: Tx, id: string, now: Date): Promise<void> {
  const payment = await tx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  await tx
    .updateTable('payments')
    .set({ next_check_at: null, updated_at: now, ...(payment.status === 'PENDING' ? { status: 'CANCELLED' } : {}) })
    .where('id', '=', id)
    .execute()
  publish(tx, { user: payment.user_id, what: 'payment', id: payment.out_trade_no })
}
