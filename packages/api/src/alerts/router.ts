import { alertsInput, alertsView } from '@vps/shared/alerts.contract'
import * as z from 'zod'
import { inTx } from '../db/tx.js'
import { readMailFault } from '../mail/mail-fault.js'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { readPreference, setPreference } from './recipients.js'

export const alertsRouter = router({
  get: adminOnly.output(alertsView).query(async ({ ctx }) => ({
    ...(await readPreference(ctx.db, ctx.user)),
    fault: await readMailFault(ctx.db, ctx.deps.sendMail !== null),
  })),
  set: adminOnly
    .input(alertsInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await inTx(ctx.db, (tx) => setPreference(tx, ctx.user, input.mailed, ctx.now()))
      return null
    }),
})
