import { migratable, migrationTarget, startMigrationInput } from '@vps/shared/cold-migrations.contract'
import { recordRef } from '@vps/shared/fields.contract'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly } from '../trpc/procedures.js'
import { listMigratable } from './list-migratable.js'
import { cancelMigration, listMigrationHosts, migrateServer } from './migrate-servers.js'

/** Servers that go to another living host with their data (decision 0131). */
export const migrationsRouter = router({
  list: adminOnly
    .input(z.object({ hostId: z.uuid() }))
    .output(z.array(migratable))
    .query(({ ctx, input }) => listMigratable(ctx.db, input.hostId, ctx.now())),

  /** The best first. 404. */
  hosts: adminOnly
    .input(z.object({ serverId: z.uuid() }))
    .output(z.array(migrationTarget))
    .query(({ ctx, input }) => listMigrationHosts(ctx.db, input.serverId)),

  /** Waits for its turn. 409 without room elsewhere, or with a reason. */
  start: adminOnly
    .concat(keyed('migrations.start'))
    .input(startMigrationInput.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await ctx.once(input, (tx, now) => migrateServer(tx, ctx.user, input, now)),
    })),

  /** `id`: the server's, which stays, or goes back. 404 without one, 409 where it is on its way back. */
  cancel: adminOnly
    .concat(keyed('migrations.cancel'))
    .input(recordRef.extend({ idempotencyKey }))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await ctx.onceFor(input, (tx, now) => cancelMigration(tx, ctx.user, input.id, now))
      return null
    }),
})
