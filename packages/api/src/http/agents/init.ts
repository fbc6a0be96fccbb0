import { initTRPC, TRPCError } from '@trpc/server'
import { errorTable } from '@vps/shared/errors'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/client.js'
import type { Deps } from '../../deps.js'
import { errorBody, Refusal, toRefusal } from '../../errors.js'
import { logUnserved } from '../../security-log.js'
import { refuseUnstorable } from '../../storable.js'
import { bearerToken } from '../caller.js'

export type AgentContext = { deps: Deps; db: Db; now: () => Date; token: string | null }

export function agentContext(deps: Deps, request: FastifyRequest): AgentContext {
  return { deps, db: deps.db, now: deps.now, token: bearerToken(request.headers.authorization) }
}

const t = initTRPC.context<AgentContext>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const refusal =
      error.cause instanceof Refusal
        ? error.cause
        : new Refusal(error.code === 'BAD_REQUEST' ? 'INVALID_INPUT' : 'INTERNAL')
    return { ...shape, message: refusal.message, data: { ...shape.data, ...errorBody(refusal) } }
  },
})

export const router = t.router

export const agentProcedure = t.procedure
  .use(async ({ ctx, path, next }) => {
    const result = await next()
    if (result.ok) return result
    const refusal = result.error.message === 'Output validation failed' ? null : toRefusal(result.error.cause)
    if (!refusal) return result
    logUnserved(ctx.deps.log, path, refusal)
    throw new TRPCError({ code: errorTable[refusal.code].trpc, message: refusal.message, cause: refusal })
  })
  .use(async ({ getRawInput, next }) => {
    refuseUnstorable(await getRawInput())
    return next()
  })
