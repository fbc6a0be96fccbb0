import { recordRef } from '@vps/shared/fields.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import { figuresView, incidentInput, incidentView, nextUpdateInput, statusView } from '@vps/shared/status.contract'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly, publicProcedure } from '../trpc/procedures.js'
import { pageIncidents, reportIncident, updateIncident } from './incidents.js'
import { readFigures } from './read-figures.js'
import { readStatus } from './read-status.js'

export const statusRouter = router({
  /** From memory; its answer is kept as text (http/trpc/kept-answers.ts). */
  get: publicProcedure
    .meta({ kept: true })
    .output(statusView)
    .query(({ ctx }) => readStatus(ctx.deps)),

  figures: publicProcedure
    .meta({ kept: true })
    .output(figuresView)
    .query(({ ctx }) => readFigures(ctx.deps)),

  incidents: adminOnly
    .input(pageInput)
    .output(pageOf(incidentView))
    .query(({ ctx, input }) => pageIncidents(ctx.db, input)),
  report: adminOnly
    .concat(keyed('status.report'))
    .input(incidentInput.extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.once(input, (tx, now) => reportIncident(tx, ctx.user, input, now))
      return null
    }),
  update: adminOnly
    .concat(keyed('status.update'))
    .input(nextUpdateInput.extend({ ...recordRef.shape, idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => updateIncident(tx, ctx.user, input, now))
      return null
    }),
})
