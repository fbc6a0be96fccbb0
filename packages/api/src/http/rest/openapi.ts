import * as states from '@vps/shared/states'
import { errorTable } from '@vps/shared/errors'
import * as z from 'zod'
import { appRouter } from '../trpc/app-router.js'
import { describeProcedure, inputSchema, type JsonSchema } from '../../trpc/describe.js'
import { restTable, type Row } from './table.js'

type OpenApi = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, object>
  components: { schemas: Record<string, object>; [other: string]: object }
}

/** OpenAPI 3.1. A test compares its outline, openapi.txt. */
export function openApiDocument(): OpenApi {
  const paths: Record<string, Record<string, object>> = {}
  for (const row of restTable) {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: '云服务器门户 API',
      version: '1.0.0',
      description: '金额单位为元；时间为 ISO 8601（UTC）。除登录、注册和目录读取外均需 Authorization: Bearer {token}。',
    },
    servers: [{ url: '/api' }],
    // Sent where there is one: some are for everybody.
    security: [{ bearer: [] }, {}],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema() },
      responses: {
        Error: {
          description: '请求被拒绝',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  }
}

function operation(row: Row): object {
  const { input, output } = describeProcedure(appRouter, row.procedure)
  const fields = input ? inputSchema(input) : {}
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const rest = Object.entries(fields.properties ?? {}).filter(
    ([name]) => !inPath.includes(name) && name !== 'idempotencyKey',
  )
  const required = new Set(fields.required ?? [])
  const parameter = (place: string, name: string, schema: JsonSchema | undefined) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: schema ?? { type: 'string' },
  })
  const idempotent = fields.properties && 'idempotencyKey' in fields.properties
  const parameters = [
    ...inPath.map((name) => parameter('path', name, fields.properties?.[name])),
    ...(row.method === 'GET' ? rest.map(([name, schema]) => parameter('query', name, schema)) : []),
    ...(idempotent ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }] : []),
  ]
  const body = row.method !== 'GET' &&
    rest.length > 0 && {
      required: rest.some(([name]) => required.has(name)),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: Object.fromEntries(rest),
            required: rest.map(([name]) => name).filter((name) => required.has(name)),
          },
        },
      },
    }
  const reply = z.toJSONSchema(output, { io: 'output', target: 'draft-2020-12', unrepresentable: 'any' })
  delete reply.$schema
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replaceAll(/[^A-Za-z]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())}`,
    tags: [row.path.split('/')[1]],
    description: `tRPC: ${row.procedure}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: { description: states.succeeded, content: { 'application/json': { schema: row.shape.schema(reply) } } },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

function errorSchema(): object {
  return {
    type: 'object',
    required: ['success', 'code', 'message', 'error'],
    properties: {
      success: { type: 'boolean', const: false },
      code: { type: 'string', enum: Object.keys(errorTable) },
      message: { type: 'string', description: '中文说明' },
      error: { type: 'string', description: '与 message 相同' },
      errors: { type: 'object', additionalProperties: { type: 'string' }, description: '字段到说明' },
    },
  }
}
