import { recordRef } from '@vps/shared/fields.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import { confirmations } from '@vps/shared/payments'
import {
  allPaymentsFilter,
  anyPaymentView,
  createPaymentInput,
  createPaymentReply,
  paymentFilter,
  paymentSummary,
  paymentView,
} from '@vps/shared/payments.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly, signedIn } from '../trpc/procedures.js'
import { idempotencyKey } from '../idempotency.js'
import { checkPayment, pageAllPayments } from './all-payments.js'
import { cancelPayment } from './cancel-payment.js'
import { confirmPayment } from './confirm-payment.js'
import { creditExtra } from './credit-extra.js'
import { pagePayments, readPayment, summarisePayments, toPaymentView } from './queries.js'
import { createAtGateway, openGateway, startRecharge } from './start-recharge.js'

const paymentRef = z.object({ outTradeNo: z.string().max(60) })

export const paymentsRouter = router({
  /** Never credits by itself. */
  create: signedIn
    .concat(keyed('payments.create'))
    .input(createPaymentInput.extend({ idempotencyKey }))
    .output(createPaymentReply)
    .mutation(async ({ ctx, input }) => {
      const { merchant } = openGateway(ctx.deps)
      const { idempotencyKey: _, ...payment } = input
      const id = await ctx.once(input, (tx, now) =>
        startRecharge(tx, ctx.user, { ...payment, clientIp: ctx.address, merchant }, now),
      )
      return createAtGateway(ctx.deps, id)
    }),

  /** While PENDING, each call asks the gateway; simultaneous ones share one query. */
  status: signedIn
    .input(paymentRef)
    .output(paymentView)
    .query(async ({ ctx, input: { outTradeNo } }) => {
      const payment = await readPayment(ctx.db, ctx.user.id, outTradeNo)
      if (payment.status !== 'PENDING') return toPaymentView(payment)
      await confirmPayment(ctx.deps, payment)
      return toPaymentView(await readPayment(ctx.db, ctx.user.id, outTradeNo))
    }),

  list: signedIn
    .input(pageInput.extend(paymentFilter.shape))
    .output(pageOf(paymentView))
    .query(({ ctx, input }) => pagePayments(ctx.db, ctx.user.id, input, input)),

  summary: signedIn.output(paymentSummary).query(({ ctx }) => summarisePayments(ctx.db, ctx.user.id)),

  /** Everybody's. */
  all: adminOnly
    .input(pageInput.extend(allPaymentsFilter.shape))
    .output(pageOf(anyPaymentView))
    .query(({ ctx, input }) => pageAllPayments(ctx.db, input)),

  /** Asks the gateway in any state: credits once what was paid late or never told. */
  check: adminOnly
    .input(paymentRef)
    .output(z.object({ outcome: z.enum(confirmations) }))
    .mutation(async ({ ctx, input }) => ({ outcome: await checkPayment(ctx.deps, ctx.db, input.outTradeNo) })),

  /** Of a finding `paid-twice`: the second money goes to its payer's balance. */
  creditExtra: adminOnly
    .concat(keyed('payments.creditExtra'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => creditExtra(tx, ctx.user, input.id, now))
      return null
    }),

  cancel: signedIn
    .input(paymentRef)
    .output(paymentView)
    .mutation(async ({ ctx, input: { outTradeNo } }) => {
      await inTx(ctx.db, (tx) => cancelPayment(tx, ctx.user, outTradeNo, ctx.now()))
      return toPaymentView(await readPayment(ctx.db, ctx.user.id, outTradeNo))
    }),
})
