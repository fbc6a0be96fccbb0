import { reverseNamesView, setReverseNameInput } from '@vps/shared/reverse-names.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { countCall } from '../rate-limits.js'
import { router } from '../trpc/init.js'
import { signedIn } from '../trpc/procedures.js'
import { open, serverRef } from './ask.js'
import { checkForward, readReverseNames, setReverseName } from './reverse-names.js'

/** Needs `openConsole`. */
export const reverseNamesRouter = router({
  list: signedIn
    .input(serverRef)
    .output(reverseNamesView)
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      return readReverseNames(ctx.db, ctx.user, input.serverId)
    }),

  /** Written within seconds, and retried until it is. 409 with no zone for the address. */
  set: signedIn
    .input(serverRef.extend(setReverseNameInput.shape))
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await countCall(ctx.db, 'reverseNamePerUser', ctx.user.id, ctx.now())
      await open(ctx, input.serverId)
      await checkForward(ctx.db, ctx.deps.resolveName, input)
      await inTx(ctx.db, (tx) => setReverseName(tx, ctx.user, input, ctx.now()))
      return null
    }),
})
