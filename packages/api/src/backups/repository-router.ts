import { backupRepositoryInput, backupRepositoryView, backupTestInput } from '@vps/shared/backups.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { clearRepository, readRepository, saveRepository } from './repository.js'
import { askForTest } from './repository-tests.js'

/** Where the shop keeps backups. */
export const backupRepositoryRouter = router({
  get: adminOnly.output(backupRepositoryView).query(({ ctx }) => readRepository(ctx.db, ctx.now())),

  save: adminOnly
    .input(backupRepositoryInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => saveRepository(tx, ctx.user, { vault: ctx.deps.vault, now: ctx.now() }, input))
      return null
    }),

  /** Asked of a host; `get` has the result within two minutes. 409 without settings or host. */
  test: adminOnly
    .input(backupTestInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => askForTest(tx, ctx.user, input.hostId ?? null, ctx.now()))
      return null
    }),

  clear: adminOnly
    .input(z.object({ version: z.int() }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => clearRepository(tx, ctx.user, input.version, ctx.now()))
      return null
    }),
})
