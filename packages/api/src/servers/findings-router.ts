import { recordRef } from '@vps/shared/fields.contract'
import { findingPageInput, findingView } from '@vps/shared/findings.contract'
import { pageOf } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { resolveFinding } from '../findings/findings.js'
import { pageFindings, readFinding } from '../findings/queries.js'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly } from '../trpc/procedures.js'
import { cleanStray } from './kvm/clean-stray.js'
import { reapplyFirewall } from './kvm/reapply-firewall.js'
import { redefineServer } from './kvm/redefine.js'

export const findingsRouter = router({
  list: adminOnly
    .input(findingPageInput)
    .output(pageOf(findingView))
    .query(({ ctx, input }) => pageFindings(ctx.db, input)),
  get: adminOnly
    .input(recordRef)
    .output(findingView)
    .query(({ ctx, input }) => readFinding(ctx.db, input.id)),
  clean: adminOnly
    .concat(keyed('findings.clean'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await ctx.once(input, (tx, now) => cleanStray(tx, ctx.user, input.id, now)),
    })),
  redefine: adminOnly
    .concat(keyed('findings.redefine'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await ctx.once(input, (tx, now) => redefineServer(tx, ctx.user, input.id, now)),
    })),
  applyFirewall: adminOnly
    .concat(keyed('findings.applyFirewall'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await ctx.once(input, (tx, now) => reapplyFirewall(tx, ctx.user, input.id, now)),
    })),
  resolve: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => resolveFinding(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
})
