import { generatePassword } from '@vps/shared/password'
import { randomInt } from 'node:crypto'
import * as z from 'zod'
import { idempotencyKey } from '../idempotency.js'
import { router } from '../trpc/init.js'
import { keyed } from '../trpc/keyed.js'
import { auditedRead, signedIn } from '../trpc/procedures.js'
import { askOnce, open, serverRef, started } from './ask.js'
import { readRescuePassword } from './read-password.js'

/** Needs `openConsole`. */
export const rescueRouter = router({
  /** With its own one-time password. 409 where not offered, or in rescue already; LOCKED. */
  enter: signedIn
    .concat(keyed('rescue.enter'))
    .input(serverRef.extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => {
      const password = generatePassword((below) => randomInt(below))
      return askOnce(ctx, input, { kind: 'enterRescue' }, ctx.deps.vault.seal(password))
    }),

  /** Boots its own disk. 409 where not in rescue; LOCKED. */
  leave: signedIn
    .concat(keyed('rescue.leave'))
    .input(serverRef.extend({ idempotencyKey }))
    .output(started)
    .mutation(({ ctx, input }) => askOnce(ctx, input, { kind: 'leaveRescue' })),

  /** Audited; no other reply holds it. 404 where not in rescue. */
  password: auditedRead
    .input(serverRef)
    .output(z.object({ password: z.string() }))
    .query(async ({ ctx, input }) => {
      await open(ctx, input.serverId)
      const { vault } = ctx.deps
      return { password: await readRescuePassword(ctx.db, vault, ctx.user, input.serverId, ctx.now()) }
    }),
})
