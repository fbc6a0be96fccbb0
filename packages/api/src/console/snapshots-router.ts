import { snapshotName, snapshotView } from '@vps/shared/console.contract'
import { recordRef } from '@vps/shared/fields.contract'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { signedIn } from '../trpc/procedures.js'
import { listSnapshots } from './snapshots.js'
import { askOnce, open, serverRef, started } from './ask.js'

/** Needs `openConsole`. */
export const snapshotsRouter = router({
  list: signedIn
    .input(serverRef)
    .output(z.array(snapshotView))
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      return listSnapshots(ctx.db, input.serverId)
    }),

  /** 409 with as many as there may be, LOCKED, NO_STOCK. */
  take: signedIn
    .concat(keyed('snapshots.take'))
    .input(serverRef.extend({ name: snapshotName, idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => askOnce(ctx, input, { kind: 'snapshot', name: input.name })),

  /** What was written since is lost. 409 while protected or busy. */
  revert: signedIn
    .concat(keyed('snapshots.revert'))
    .input(serverRef.extend(recordRef.shape).extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => askOnce(ctx, input, { kind: 'revert', snapshotId: input.id })),

  remove: signedIn
    .concat(keyed('snapshots.remove'))
    .input(serverRef.extend(recordRef.shape).extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => askOnce(ctx, input, { kind: 'deleteSnapshot', snapshotId: input.id })),
})
