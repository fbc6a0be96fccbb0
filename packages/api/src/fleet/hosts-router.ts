import * as text from '@vps/shared/text'
import { recordRef } from '@vps/shared/fields.contract'
import {
  createHostInput,
  enrolmentView,
  hostGrowth,
  hostLoad,
  hostPageInput,
  hostView,
  moveHostInput,
  updateHostInput,
} from '@vps/shared/hosts.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import { addressView } from '@vps/shared/pools.contract'
import { metricRanges } from '@vps/shared/servers'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import type { SignedInContext } from '../trpc/context.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { readHostGrowth } from './host-growth.js'
import { readHostLoad } from './host-load.js'
import { createHost, moveHost, renewEnrolment, revokeHostToken, updateHost, type Enrolment } from './manage-hosts.js'
import { pageAddresses } from './pools.js'
import { pageHosts, readHost } from './queries.js'

export const hostsRouter = router({
  list: adminOnly
    .input(hostPageInput)
    .output(pageOf(hostView))
    .query(({ ctx, input }) => pageHosts(ctx.db, input)),
  load: adminOnly
    .input(recordRef.extend({ range: z.enum(metricRanges, { error: text.badRange }).default('hour') }))
    .output(hostLoad)
    .query(({ ctx, input }) =>
      readHostLoad({ db: ctx.db, engine: ctx.deps.metricEngine }, input.id, input.range, ctx.now()),
    ),
  get: adminOnly
    .input(recordRef)
    .output(hostView)
    .query(({ ctx, input }) => readHost(ctx.db, input.id)),
  growth: adminOnly
    .input(recordRef)
    .output(hostGrowth)
    .query(({ ctx, input }) => readHostGrowth(ctx.db, input.id, ctx.now())),
  addresses: adminOnly
    .input(pageInput.extend({ hostId: z.uuid() }))
    .output(pageOf(addressView))
    .query(({ ctx, input }) => pageAddresses(ctx.db, input)),
  create: adminOnly
    .input(createHostInput)
    .output(enrolmentView)
    .mutation(async ({ ctx, input }) =>
      enrolmentOf(ctx, await inTx(ctx.db, (tx) => createHost(tx, ctx.user, input, ctx.now()))),
    ),
  renewEnrolment: adminOnly
    .input(recordRef)
    .output(enrolmentView)
    .mutation(async ({ ctx, input }) =>
      enrolmentOf(ctx, await inTx(ctx.db, (tx) => renewEnrolment(tx, ctx.user, input.id, ctx.now()))),
    ),
  revokeToken: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => revokeHostToken(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
  update: adminOnly
    .input(updateHostInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => updateHost(tx, ctx.user, input, ctx.now()))
      return null
    }),
  move: adminOnly
    .input(moveHostInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => moveHost(tx, ctx.user, input, ctx.now()))
      return null
    }),
})

function enrolmentOf(ctx: SignedInContext, { id, token, expiresAt }: Enrolment) {
  const command = `API_URL=${ctx.deps.config.publicUrl} ENROLMENT_TOKEN=${token} npm run agent`
  return { id, token, command, expiresAt: expiresAt.toISOString() }
}
