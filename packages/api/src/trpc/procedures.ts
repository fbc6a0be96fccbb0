import { TRPCError } from '@trpc/server'
import { errorTable } from '@vps/shared/errors'
import { Refusal, toRefusal } from '../errors.js'
import { logRefusal, logUnserved } from '../security-log.js'
import { refuseUnstorable } from '../storable.js'
import type { Context } from './context.js'
import { t } from './init.js'

const refusals = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  // Our bug, although it comes as a ZodError.
  const refusal =
    result.error.code === 'INTERNAL_SERVER_ERROR' && isContractBroken(result.error)
      ? null
      : toRefusal(result.error.cause)
  if (!refusal) return result
  logRefusal(ctx, path, refusal)
  logUnserved(ctx.deps.log, path, refusal)
  throw new TRPCError({ code: errorTable[refusal.code].trpc, message: refusal.message, cause: refusal })
})

const isContractBroken = (error: TRPCError) => error.message === 'Output validation failed'

const storable = t.middleware(async ({ getRawInput, next }) => {
  refuseUnstorable(await getRawInput())
  return next()
})

export const publicProcedure = t.procedure.use(refusals).use(storable)

/** Before the contract, so that refused input counts too. */
export const counted = (count: (ctx: Context, input: unknown) => Promise<void>) =>
  t.procedure
    .use(refusals)
    .use(async ({ ctx, getRawInput, next }) => {
      await count(ctx, await getRawInput().catch(() => null))
      return next()
    })
    .use(storable)

/** The same, uncounted: however much is done in an account's name, its owner ends sessions and changes the password. */
export const signedInAlways = publicProcedure.meta({ access: 'user' }).use(({ ctx, next }) => {
  if (!ctx.user) throw new Refusal('UNAUTHENTICATED')
  return next({ ctx: { user: ctx.user } })
})

/** A living session: `ctx.user`. UNAUTHENTICATED, TOO_MANY_REQUESTS. */
export const signedIn = signedInAlways.use(({ ctx, type, next }) => {
  if (type === 'mutation') ctx.deps.countAct(ctx.user, ctx.now())
  return next()
})

/** A read that leaves an entry in the audit log. */
export const auditedRead = signedInAlways.use(({ ctx, next }) => {
  ctx.deps.countAct(ctx.user, ctx.now())
  return next()
})

/** A living session's subscription: `ctx.user`. UNAUTHENTICATED, TOO_MANY_REQUESTS. */
export const overSocket = publicProcedure.use(async ({ ctx, signal, next }) => {
  if (!ctx.socket) throw new Refusal('NO_SUCH_PATH')
  // Refused after it was admitted, as for its input, it never ends, and would keep its room.
  const over = new AbortController()
  if (signal?.aborted) over.abort()
  signal?.addEventListener('abort', () => over.abort(), { once: true })
  const result = await next({ ctx: { user: await ctx.socket.admit(over.signal), socket: ctx.socket } })
  if (!result.ok) over.abort()
  return result
})

/** FORBIDDEN, whatever the screen shows. */
export const adminOnly = signedIn.meta({ access: 'admin' }).use(({ ctx, next }) => {
  if (ctx.user.role !== 'ADMIN') throw new Refusal('FORBIDDEN')
  return next()
})
