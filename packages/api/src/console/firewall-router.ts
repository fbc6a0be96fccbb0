import { firewall, firewallView } from '@vps/shared/firewall.contract'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { signedIn } from '../trpc/procedures.js'
import { askOnce, open, serverRef, started } from './ask.js'
import { readFirewall } from './firewall.js'

/** Needs `openConsole`. */
export const firewallRouter = router({
  get: signedIn
    .input(serverRef)
    .output(firewallView)
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      return readFirewall(ctx.db, input.serverId)
    }),

  /**
   * The whole set, made from the revision seen: 409 CONFLICT where another was saved since. LOCKED while another act is
   * open. Kept for an absent host.
   */
  save: signedIn
    .concat(keyed('firewall.save'))
    .input(serverRef.extend({ revision: z.int().min(0), firewall, idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) =>
      askOnce(ctx, input, { kind: 'applyFirewall', seen: input.revision, firewall: input.firewall }),
    ),
})
