import { isoView } from '@vps/shared/console.contract'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { isosFor } from '../fleet/images-here.js'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { signedIn } from '../trpc/procedures.js'
import { askOnce, open, serverRef, started } from './ask.js'

/** Needs `openConsole`. */
export const isoRouter = router({
  /** For its drive now; at most 200. */
  list: signedIn
    .input(serverRef)
    .output(z.array(isoView))
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      const rows = await isosFor(ctx.db, input.serverId).execute()
      return rows.map(({ id, os_name, os_version }) => ({ id, name: `${os_name} ${os_version}` }))
    }),

  /** `boots`: restarted or started into it. 409 with one in, in rescue, or none offered; LOCKED. */
  insert: signedIn
    .concat(keyed('iso.insert'))
    .input(serverRef.extend({ imageId: z.uuid({ error: text.discRequired }), boots: z.boolean(), idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => {
      const { imageId, boots } = input
      return askOnce(ctx, input, { kind: 'insertIso', imageId, boots })
    }),

  /** At once, without a restart. 409 with none in; LOCKED. */
  eject: signedIn
    .concat(keyed('iso.eject'))
    .input(serverRef.extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => askOnce(ctx, input, { kind: 'ejectIso' })),
})
