import { recordRef } from '@vps/shared/fields.contract'
import { pageOf, searchPageInput } from '@vps/shared/page.contract'
import { refuseInside, testForAnswer } from './ssh/test-dedicated.js'
import { adminServer, dedicatedServerInput } from '@vps/shared/servers.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { pageServers, readAdminServer } from './list-servers.js'
import { createDedicatedServer, deleteDedicatedServer, updateDedicatedServer } from './ssh/dedicated-servers.js'

/** No reply holds a password. */
export const serversRouter = router({
  list: adminOnly
    .input(
      searchPageInput.extend({
        groupId: z.uuid().optional(),
        userId: z.uuid().optional(),
        hostId: z.uuid().optional(),
      }),
    )
    .output(pageOf(adminServer))
    .query(({ ctx, input }) => pageServers(ctx.db, input, ctx.now())),
  get: adminOnly
    .input(recordRef)
    .output(adminServer)
    .query(({ ctx, input }) => readAdminServer(ctx.db, input.id, ctx.now())),
  create: adminOnly
    .input(dedicatedServerInput)
    .output(adminServer)
    .mutation(async ({ ctx, input: { password, ...input } }) => {
      refuseInside(ctx.deps, input.ip)
      const secret = password ? ctx.deps.vault.seal(password) : null
      const id = await inTx(ctx.db, (tx) => createDedicatedServer(tx, ctx.user, { ...input, secret }, ctx.now()))
      await testForAnswer(ctx.deps, id)
      return readAdminServer(ctx.db, id, ctx.now())
    }),
  update: adminOnly
    .input(dedicatedServerInput.extend(recordRef.shape))
    .output(adminServer)
    .mutation(async ({ ctx, input: { password, ...input } }) => {
      refuseInside(ctx.deps, input.ip)
      const secret = password ? ctx.deps.vault.seal(password) : null
      await inTx(ctx.db, (tx) => updateDedicatedServer(tx, ctx.user, { ...input, secret }, ctx.now()))
      return readAdminServer(ctx.db, input.id, ctx.now())
    }),
  delete: adminOnly
    .input(recordRef)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => deleteDedicatedServer(tx, ctx.user, input.id, ctx.now()))
      return null
    }),
})
