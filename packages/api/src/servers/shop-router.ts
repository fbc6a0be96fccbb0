import { category, osOption, priceGroupView, serverGroup } from '@vps/shared/catalogue'
import * as z from 'zod'
import { activeCategories, activeGroups, activePriceGroups, osOptions } from '../catalogue/queries.js'
import { publicProcedure, router } from '../doors/trpc/init.js'
import {
  groupServers,
  groupServersView,
  groupedServers,
  groupedView,
  groupSummaries,
  groupSummaryView,
} from './shop-queries.js'
import { readStock } from './stock.js'

/** What everybody may read of the catalogue; never an address, port, user name or password of a machine. */
export const shopRouter = router({
  categories: publicProcedure.output(z.array(category)).query(({ ctx }) => activeCategories(ctx.db)),

  groups: publicProcedure.output(z.array(serverGroup)).query(({ ctx }) => activeGroups(ctx.db)),

  priceGroups: publicProcedure.output(z.array(priceGroupView)).query(async ({ ctx }) => {
    const [groups, inStock] = await Promise.all([activePriceGroups(ctx.db), readStock(ctx.db)])
    return groups.map((group) => ({ ...group, available: inStock(group.serverGroupId, group.included) }))
  }),

  osOptions: publicProcedure.output(z.array(osOption)).query(({ ctx }) => osOptions(ctx.db)),

  /** A group's specs, first item first; without entered servers one item with the defaults. */
  groupServers: publicProcedure
    .input(z.object({ groupId: z.uuid({ error: '记录不存在' }) }))
    .output(z.array(groupServersView))
    .query(({ ctx, input }) => groupServers(ctx.db, input.groupId)),

  serversGrouped: publicProcedure.output(z.array(groupedView)).query(({ ctx }) => groupedServers(ctx.db)),

  serverGroups: publicProcedure.output(z.array(groupSummaryView)).query(({ ctx }) => groupSummaries(ctx.db)),
})
