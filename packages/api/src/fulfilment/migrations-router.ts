import { migratable, migrationTarget, startMigrationInput } from '@vps/shared/cold-migrations.contract'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { adminOnly } from '../trpc/procedures.js'
import { listMigratable } from './list-migratable.js'
import { listMigrationHosts, migrateServer } from './migrate-servers.js'

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

  /** 409 without room elsewhere, while something else is done to it, or with a reason. */
  start: adminOnly
    .concat(keyed('migrations.start'))
    .input(startMigrationInput.extend({ idempotencyKey }))
    .output(z.object({ id: z.uuid() }))
    .mutation(async ({ ctx, input }) => ({
      id: await ctx.once(input, (tx, now) => migrateServer(tx, ctx.user, input, now)),
    })),
})
