import type { AnyTRPCRouter } from '@trpc/server'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors.js'
import { describeProcedure, inputSchema, type JsonSchema } from '../trpc/describe.js'

/** What a procedure takes, at its first request: all are a fifth of a start's work. */
export function propertiesOf(router: AnyTRPCRouter, procedure: string): () => Record<string, JsonSchema> {
  let properties: Record<string, JsonSchema> | null = null
  return () => {
    const { input } = describeProcedure(router, procedure)
    return (properties ??= input ? (inputSchema(input).properties ?? {}) : {})
  }
}

/** Of a body that is none, such as a form, which many programs send unasked. */
export const notJson = '请求内容须为 JSON 对象，请求头须有 Content-Type: application/json'
export const notUtf8 = '请求内容须以 UTF-8 编码'
export const notPacked = '请求内容须不经压缩，请去掉请求头 Content-Encoding'

/** The path wins. Undefined where it takes nothing. */
export function inputOf(
  request: FastifyRequest,
  properties: Record<string, JsonSchema>,
): Record<string, unknown> | undefined {
  if (Object.keys(properties).length === 0) return undefined
  const { body } = request
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw new Refusal('INVALID_INPUT', { message: notJson })
  const address = Object.assign({}, request.query, request.params)
  const fromAddress = Object.entries(address).map(([name, value]) => [name, coerce(value, properties[name])])
  const key = request.headers['idempotency-key']
  return {
    ...body,
    ...Object.fromEntries(fromAddress),
    ...(typeof key === 'string' && 'idempotencyKey' in properties ? { idempotencyKey: key } : {}),
  }
}

/** The contract refuses what does not fit. */
function coerce(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value !== 'string' || !schema) return value
  const types = [schema, ...(schema.anyOf ?? [])].flatMap((option) => option.type ?? [])
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true'
  return value
}
