import { snapshotName, snapshotView } from '@vps/shared/console.contract'
import { recordRef } from '@vps/shared/fields.contract'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import type { SignedInContext } from '../trpc/context.js'
import { router } from '../trpc/init.js'
import { keyed, type Once } from '../trpc/keyed.js'
import { signedIn } from '../trpc/procedures.js'
import { listSnapshots, readMost } from './snapshots.js'
import { openConsole } from './access.js'
import { actOnServer, type OwnersAct } from './act.js'

const serverRef = z.object({ serverId: z.uuid({ error: text.serverIdMissing }) })
const started = z.object({ jobId: z.uuid() })

/** For whoever may open the server's console. */
export const snapshotsRouter = router({
  list: signedIn
    .input(serverRef)
    .output(z.array(snapshotView))
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      return listSnapshots(ctx.db, input.serverId)
    }),

  /** 409 where there are as many as there may be, LOCKED, NO_STOCK. */
  take: signedIn
    .concat(keyed('snapshots.take'))
    .input(serverRef.extend({ name: snapshotName, idempotencyKey }))
    .output(started)
    .mutation(async ({ ctx, input }) => {
      const most = await readMost(ctx.db, input.serverId)
      return act(ctx, input, { kind: 'snapshot', name: input.name, most })
    }),

  /** What was written since is lost. 409 while protected or busy. */
  revert: signedIn
    .concat(keyed('snapshots.revert'))
    .input(serverRef.extend(recordRef.shape).extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => act(ctx, input, { kind: 'revert', snapshotId: input.id })),

  remove: signedIn
    .concat(keyed('snapshots.remove'))
    .input(serverRef.extend(recordRef.shape).extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => act(ctx, input, { kind: 'deleteSnapshot', snapshotId: input.id })),
})

function open(ctx: SignedInContext, serverId: string) {
  return openConsole(ctx.db, ctx.user, serverId, ctx.deps.config.consoleAccess)
}

type Asked = { serverId: string; idempotencyKey?: string | null | undefined }

async function act(ctx: SignedInContext & { once: Once }, input: Asked, wanted: OwnersAct) {
  const { id, orderId } = await open(ctx, input.serverId)
  const asked = { serverId: id, orderId, act: wanted, secret: null }
  return { jobId: await ctx.once(input, (tx, now) => actOnServer(tx, ctx.user, asked, now)) }
}
