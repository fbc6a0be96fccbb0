import { reverseDnsInput, reverseDnsTest, reverseDnsView } from '@vps/shared/reverse-names.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { clearReverseDns, readReverseDns, saveReverseDns, testReverseDns } from './settings.js'

/** The server of reverse names. */
export const reverseDnsRouter = router({
  get: adminOnly.output(reverseDnsView).query(({ ctx }) => readReverseDns(ctx.db)),

  save: adminOnly
    .input(reverseDnsInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => saveReverseDns(tx, ctx.user, { vault: ctx.deps.vault, now: ctx.now() }, input))
      return null
    }),

  clear: adminOnly
    .input(z.object({ version: z.int() }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => clearReverseDns(tx, ctx.user, input.version, ctx.now()))
      return null
    }),

  /** What was saved, within 20 s; nothing is written. */
  test: adminOnly.output(reverseDnsTest).mutation(({ ctx }) => testReverseDns(ctx.deps)),
})
