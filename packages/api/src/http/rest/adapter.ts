import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { Refusal, toRefusal } from '../../errors.js'
import { httpContext } from '../caller.js'
import { sendRefusal } from '../send-refusal.js'
import { appRouter } from '../trpc/app-router.js'
import { callProcedure } from '../trpc/call-procedure.js'
import { keptAnswer, sendKept } from '../trpc/kept-answers.js'
import { refusalOf } from '../../trpc/init.js'
import { describeProcedure, inputSchema, type JsonSchema } from '../../trpc/describe.js'
import { paymentCreated } from './shapes.js'
import { restTable, type Row } from './table.js'

const addresses = restTable.map((row) => {
  const { type, input } = describeProcedure(appRouter, row.procedure)
  const kind = type === 'query' ? ('query' as const) : ('act' as const)
  let properties: Record<string, JsonSchema> | null = null
  // With the first request to it: together they are a fifth of what a start computes.
  return { row, type, kind, properties: () => (properties ??= input ? (inputSchema(input).properties ?? {}) : {}) }
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
  if (refusal.code === 'INTERNAL') request.log.error({ err: error }, `${row.procedure} failed`)
  return sendRefusal(reply, refusal, row.shape === paymentCreated ? { msg: refusal.message } : {})
}

/** The path wins. Undefined where the procedure takes nothing. */
function inputOf(request: FastifyRequest, properties: Record<string, JsonSchema>): unknown {
  if (Object.keys(properties).length === 0) return undefined
  const { body } = request
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw new Refusal('INVALID_INPUT')
  const address = Object.assign({}, request.query, request.params)
  const fromAddress = Object.entries(address).map(([name, value]) => [name, coerce(value, properties[name])])
  const key = request.headers['idempotency-key']
  return {
    ...body,
    ...Object.fromEntries(fromAddress),
    ...(typeof key === 'string' && 'idempotencyKey' in properties ? { idempotencyKey: key } : {}),
  }
}

/** What does not fit is refused there. */
function coerce(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value !== 'string' || !schema) return value
  const types = [schema, ...(schema.anyOf ?? [])].flatMap((option) => option.type ?? [])
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true'
  return value
}
