import { siteInput, siteVersion } from '@vps/shared/site.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { readSettings, saveSettings } from './settings.js'

/** Visitors read them with the shop. */
export const siteRouter = router({
  get: adminOnly.output(siteVersion).query(({ ctx }) => readSettings(ctx.db)),
  save: adminOnly
    .input(siteInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => saveSettings(tx, ctx.user, input, ctx.now()))
      return null
    }),
})
