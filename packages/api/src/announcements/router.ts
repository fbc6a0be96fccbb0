import { recordRef } from '@vps/shared/fields.contract'
import { adminAnnouncement, announcementInput, announcementView } from '@vps/shared/announcements.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { idempotencyKey } from '../idempotency.js'
import { keyed } from '../trpc/keyed.js'
import { router } from '../trpc/init.js'
import { adminOnly, publicProcedure } from '../trpc/procedures.js'
import { announce, currentAnnouncements, endAnnouncement, pageAnnouncements } from './announcements.js'

export const announcementsRouter = router({
  current: publicProcedure
    .output(z.array(announcementView))
    .query(({ ctx }) => currentAnnouncements(ctx.db, ctx.user?.id ?? null, ctx.now())),

  list: adminOnly
    .input(pageInput)
    .output(pageOf(adminAnnouncement))
    .query(({ ctx, input }) => pageAnnouncements(ctx.db, input)),
  create: adminOnly
    .concat(keyed('announcements.create'))
    .input(announcementInput.safeExtend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.once(input, (tx, now) => announce(tx, ctx.user, input, now))
      return null
    }),
  end: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => endAnnouncement(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
})
