import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { Refusal, toRefusal } from '../../errors.js'
import { httpContext } from '../caller.js'
import { inputOf, propertiesOf } from '../input.js'
import { sendRefusal } from '../send-refusal.js'
import { appRouter } from '../trpc/app-router.js'
import { callProcedure } from '../trpc/call-procedure.js'
import { keptAnswer, sendKept } from '../trpc/kept-answers.js'
import { refusalOf } from '../../trpc/init.js'
import { describeProcedure } from '../../trpc/describe.js'
import { paymentCreated } from './shapes.js'
import { restTable, type Row } from './table.js'

const addresses = restTable.map((row) => {
  const { type } = describeProcedure(appRouter, row.procedure)
  const kind = type === 'query' ? ('query' as const) : ('act' as const)
  return { row, type, kind, properties: propertiesOf(appRouter, row.procedure) }
})

/**
 * One procedure per row. Refusals become status and `{success:false, code, message, error, errors?}`. No rule lives
 * here.
 */
export function registerRest(app: FastifyInstance, deps: Deps): void {
  for (const { row, type, kind, properties } of addresses) {
    app.route({
      method: row.method,
      url: `/api${row.path}`,
      handler: async (request, reply) => {
        try {
          const kept = await keptAnswer(deps, row.procedure, row.shape)
          if (kept) return sendKept(request, reply, kept.text, [kept.tag])
          const context = await httpContext(deps, kind, request, reply)
          return row.shape.body(await callProcedure(row.procedure, type, context, inputOf(request, properties())))
        } catch (error) {
          return refuse(error, row, request, reply)
        }
      },
    })
  }
}

function refuse(error: unknown, row: Row, request: FastifyRequest, reply: FastifyReply) {
  const refusal = error instanceof TRPCError ? refusalOf(error) : (toRefusal(error) ?? new Refusal('INTERNAL'))
  if (refusal.code === 'INTERNAL') request.log.error({ err: error, reqId: request.id }, `${row.procedure} failed`)
  return sendRefusal(reply, refusal, row.shape === paymentCreated ? { msg: refusal.message } : {})
}
