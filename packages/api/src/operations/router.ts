import * as text from '@vps/shared/text'
import { latencyView } from '@vps/shared/latency.contract'
import { timedRoutes } from '@vps/shared/latency'
import { monthsView, overviewView, waitingView } from '@vps/shared/overview.contract'
import { foundView, searchInput } from '@vps/shared/search.contract'
import * as z from 'zod'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { readLatency } from './latency.js'
import { searchShop } from './search.js'
import { readMonths } from './income.js'
import { readOverview } from './overview.js'
import { readWaiting } from './waiting.js'

export const operationsRouter = router({
  overview: adminOnly.output(overviewView).query(({ ctx }) => {
    const { gateway, sendMail } = ctx.deps
    return readOverview(ctx.db, { gateway: gateway !== null, mail: sendMail !== null }, ctx.now())
  }),
  months: adminOnly.output(monthsView).query(({ ctx }) => readMonths(ctx.db, ctx.now())),
  waiting: adminOnly.output(waitingView).query(({ ctx }) => readWaiting(ctx.db, ctx.now())),
  /** Customers, orders, machines, addresses and payments: five of each. */
  search: adminOnly
    .input(searchInput)
    .output(foundView)
    .query(({ ctx, input }) => searchShop(ctx.db, input.text)),
  latency: adminOnly
    .input(
      z.object({
        range: z.enum(['hour', 'day'], { error: text.badRange }).default('hour'),
        door: z.enum(timedRoutes, { error: '入口不正确' }).optional(),
      }),
    )
    .output(latencyView)
    .query(({ ctx, input }) => readLatency(ctx.db, input, ctx.now())),
})
