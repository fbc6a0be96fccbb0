import { recordRef } from '@vps/shared/fields.contract'
import { lostOrder, refundLostInput } from '@vps/shared/orders.contract'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly } from '../trpc/procedures.js'
import { evacuateOrder, listLostOrders, refundLost } from './lost-orders.js'

/** Of hosts that were declared lost. */
export const lostOrdersRouter = router({
  list: adminOnly
    .input(z.object({ hostId: z.uuid() }))
    .output(z.array(lostOrder))
    .query(({ ctx, input }) => listLostOrders(ctx.db, input.hostId, ctx.now())),

  /** Set up on another host, its data gone. 409 without room elsewhere. */
  evacuate: adminOnly
    .concat(keyed('lostOrders.evacuate'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(z.object({ jobId: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      jobId: await ctx.once(input, (tx, now) => evacuateOrder(tx, ctx.user, input, now)),
    })),

  /** Ends it, and gives its unused time back. 409 where another sum than shown goes back. */
  refund: adminOnly
    .concat(keyed('lostOrders.refund'))
    .input(refundLostInput.extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => refundLost(tx, ctx.user, input, now))
      return null
    }),
})
