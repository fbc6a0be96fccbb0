import { TRPCError } from '@trpc/server'
import { errorTable } from '@vps/shared/errors'
import { Refusal, toRefusal } from '../errors.js'
import { logRefusal } from '../security-log.js'
import { refuseUnstorable } from '../storable.js'
import type { Context } from './context.js'
import { t } from './init.js'

/** Turns what a command threw into the row of the error table: status and code on both wires come from there. */
const refusals = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  // An output that breaks its contract is our bug, although it, too, arrives with a ZodError.
  const refusal =
    result.error.code === 'INTERNAL_SERVER_ERROR' && isContractBroken(result.error)
      ? null
      : toRefusal(result.error.cause)
  if (!refusal) return result
  logRefusal(ctx, path, refusal)
  throw new TRPCError({ code: errorTable[refusal.code].trpc, message: refusal.message, cause: refusal })
})

const isContractBroken = (error: TRPCError) => error.message === 'Output validation failed'

/** Refuses what no column can hold, before any contract. */
const storable = t.middleware(async ({ getRawInput, next }) => {
  refuseUnstorable(await getRawInput())
  return next()
})

/** Anybody. */
export const publicProcedure = t.procedure.use(refusals).use(storable)

/** Anybody, after the call was counted: before its contract, so that one refused for its input counts as all others. */
export const counted = (count: (ctx: Context, input: unknown) => Promise<void>) =>
  t.procedure
    .use(refusals)
    .use(async ({ ctx, getRawInput, next }) => {
      await count(ctx, await getRawInput().catch(() => null))
      return next()
    })
    .use(storable)

/** Whoever holds a living session: `ctx.user`. UNAUTHENTICATED otherwise. */
export const signedIn = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.user) throw new Refusal('UNAUTHENTICATED')
  return next({ ctx: { user: ctx.user } })
})

/** One subscription of whoever holds a living session now: `ctx.user`. UNAUTHENTICATED, TOO_MANY_REQUESTS. */
export const overSocket = publicProcedure.use(async ({ ctx, signal, next }) => {
  if (!ctx.socket) throw new Refusal('NO_SUCH_PATH')
  return next({ ctx: { user: await ctx.socket.admit(signal), socket: ctx.socket } })
})

/** Role ADMIN, enforced here whatever the screen shows. FORBIDDEN otherwise. */
export const adminOnly = signedIn.use(({ ctx, next }) => {
  if (ctx.user.role !== 'ADMIN') throw new Refusal('FORBIDDEN')
  return next()
})
