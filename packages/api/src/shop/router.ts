import { recordRef } from '@vps/shared/fields.contract'
import { category, osOption, priceGroupView, serverGroup } from '@vps/shared/catalogue.contract'
import { siteSettings } from '@vps/shared/site.contract'
import * as z from 'zod'
import { router } from '../trpc/init.js'
import { unsoldView } from '@vps/shared/unsold.contract'
import { adminOnly, publicProcedure } from '../trpc/procedures.js'
import { readSnapshot } from './snapshot.js'
import { readUnsold } from './unsold.js'
import { groupServers, groupServersView, groupedView, groupSummaryView } from './queries.js'

/** Their answers are kept as text (http/trpc/kept-answers.ts). */
const keptProcedure = publicProcedure.meta({ kept: true })

/** At most a second old, but for staff; no machine's address, port, user name or password. */
export const shopRouter = router({
  categories: keptProcedure
    .output(z.array(category))
    .query(async ({ ctx }) => (await readSnapshot(ctx.deps)).categories),

  groups: keptProcedure.output(z.array(serverGroup)).query(async ({ ctx }) => (await readSnapshot(ctx.deps)).groups),

  priceGroups: keptProcedure
    .output(z.array(priceGroupView))
    .query(async ({ ctx }) => (await readSnapshot(ctx.deps)).priceGroups),

  osOptions: keptProcedure.output(z.array(osOption)).query(async ({ ctx }) => (await readSnapshot(ctx.deps)).systems),

  site: keptProcedure.output(siteSettings).query(async ({ ctx }) => (await readSnapshot(ctx.deps)).site),

  groupServers: publicProcedure
    .input(z.object({ groupId: recordRef.shape.id }))
    .output(z.array(groupServersView))
    .query(({ ctx, input }) => groupServers(ctx.deps.shopDb, input.groupId)),

  serversGrouped: keptProcedure
    .output(z.array(groupedView))
    .query(async ({ ctx }) => (await readSnapshot(ctx.deps)).grouped),

  serverGroups: keptProcedure
    .output(z.array(groupSummaryView))
    .query(async ({ ctx }) => (await readSnapshot(ctx.deps)).summaries),

  unsold: adminOnly.output(unsoldView).query(({ ctx }) => readUnsold(ctx.db, ctx.now())),
})
