import { firewall, firewallView } from '@vps/shared/firewall.contract'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import type { SignedInContext } from '../trpc/context.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { signedIn } from '../trpc/procedures.js'
import { openConsole } from './access.js'
import { actOnServer } from './act.js'
import { readFirewall } from './firewall.js'

const serverRef = z.object({ serverId: z.uuid({ error: text.serverIdMissing }) })

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
    .output(z.object({ jobId: z.uuid() }))
    .mutation(async ({ ctx, input }) => {
      const { id, orderId } = await open(ctx, input.serverId)
      const act = { kind: 'applyFirewall' as const, seen: input.revision, firewall: input.firewall }
      const asked = { serverId: id, orderId, act, secret: null }
      return { jobId: await ctx.once(input, (tx, now) => actOnServer(tx, ctx.user, asked, now)) }
    }),
})

function open(ctx: SignedInContext, serverId: string) {
  return openConsole(ctx.db, ctx.user, serverId, ctx.deps.config.consoleAccess)
}
