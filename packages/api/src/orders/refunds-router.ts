import { fenToYuan, yuanToFen } from '@vps/shared/money.contract'
import { orderStatuses, refundStatuses } from '@vps/shared/orders'
import { orderView, refundInput } from '@vps/shared/orders.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly, signedIn } from '../trpc/procedures.js'
import { pageRefunds } from './all-orders.js'
import { readOrder } from './queries.js'
import { approveRefund, rejectRefund, requestRefund } from './refunds.js'

const refundRow = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  orderNumber: z.string(),
  orderStatus: z.enum(orderStatuses),
  userId: z.uuid(),
  username: z.string(),
  reason: z.string(),
  status: z.enum(refundStatuses),
  paid: fenToYuan,
  /** What approving it gives back now; null once it is decided. */
  returns: fenToYuan.nullable(),
  refunded: fenToYuan.nullable(),
  decision: z.string().nullable(),
  decidedBy: z.string().nullable(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
})

export const refundsRouter = router({
  request: signedIn
    .concat(keyed('orders.requestRefund'))
    .input(refundInput.extend({ idempotencyKey }))
    .output(orderView)
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => requestRefund(tx, ctx.user, input, now))
      const reader = { id: ctx.user.id, isAdmin: ctx.user.role === 'ADMIN' }
      return (await readOrder(ctx.db, reader, { id: input.id }, ctx.now())).view
    }),

  list: adminOnly
    .input(pageInput.extend({ status: z.enum(refundStatuses).optional() }))
    .output(pageOf(refundRow))
    .query(({ ctx, input }) => pageRefunds(ctx.db, input, ctx.now())),
  /** `amount` is what was shown that it gives back: another sum is never approved unseen. */
  approve: adminOnly
    .concat(keyed('orders.approveRefund'))
    .input(refundInput.extend({ amount: yuanToFen.optional(), idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => approveRefund(tx, ctx.user, input, now))
      return null
    }),
  reject: adminOnly
    .concat(keyed('orders.rejectRefund'))
    .input(refundInput.extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => rejectRefund(tx, ctx.user, input, now))
      return null
    }),
})
