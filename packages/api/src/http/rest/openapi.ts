import * as states from '@vps/shared/states'
import { errorTable } from '@vps/shared/errors'
import { namesOf } from '@vps/shared/records'
import * as z from 'zod'
import { keyLength } from '../../idempotency.js'
import { must } from '../../must.js'
import { fileFormats, mostExported, type FileFormat } from '../send-table.js'
import { appRouter } from '../trpc/app-router.js'
import { describeProcedure, inputSchema, type JsonSchema } from '../../trpc/describe.js'
import { parts, summaries } from './summaries.js'
import { restTable, type Row } from './table.js'

type OpenApi = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  tags: { name: string }[]
  paths: Record<string, object>
  components: { schemas: Record<string, object>; [other: string]: object }
}

/** A list that can be had as a file, at its path. */
export type ListFile = { path: string; list: { procedure: string } }

/** OpenAPI 3.1. A test compares its outline, openapi.txt. */
export function openApiDocument(files: readonly ListFile[]): OpenApi {
  const used = new Set(restTable.map(tagOf))
  const paths: Record<string, Record<string, object>> = {}
  for (const row of restTable) {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row) }
  }
  for (const { path, list } of files)
    for (const format of namesOf(fileFormats))
      paths[`${path}${fileFormats[format].ending}`] = { get: download(path, list.procedure, format) }
  return {
    openapi: '3.1.0',
    info: {
      title: '云服务器门户 API',
      version: '1.0.0',
      description: guide,
    },
    servers: [{ url: '/api' }],
    security: signedIn,
    tags: [...new Set([...Object.values(parts), ...Object.values(parts).map(ofStaff)])]
      .filter((name) => used.has(name))
      .map((name) => ({ name })),
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

/** For who writes a program against it. */
const guide = `
- **地址与格式**：所有地址以 \`/api\` 开头，内容为 JSON；金额单位为元，时间为 ISO 8601（UTC）；只有日期或钟点的（如 \`from\`、\`to\`、\`hour\`）是北京时间的，首尾两天都包括在内。
- **令牌**：用 \`POST /auth/login\` 取得 \`token\`，之后的请求带 \`Authorization: Bearer {token}\`。退出登录、修改密码或在“登录设备”中移除后失效。
- **分页**：\`page\` 从 0 开始，\`size\` 最多 1000；\`totalElements\` 是总数，\`totalIsEstimate\` 为真时是约数。
- **重复发送**：网络中断时不知道结果，带同一个 \`Idempotency-Key\`（自选，24 小时内有效）和同样的内容再发一次，只会做一次，不会重复扣款。
- **错误**：状态码为 4xx 或 5xx，内容为 \`{success: false, code, message, errors}\`；程序请判断 \`code\`，\`message\` 给人看，\`errors\` 是字段的说明。429 和 503 请按 \`Retry-After\` 等待。
- **操作**：开机、重装等操作立即返回 \`jobId\`，用 \`GET /jobs/{id}\` 查询进度与结果。
`.trim()

const signedIn = [{ bearer: [] }]

const onlyStaff = '仅限管理员。'
const ofStaff = (part: string) => `管理：${part}`

function tagOf({ procedure }: { procedure: string }): string {
  const part = must(parts[procedure.split('.')[0] ?? ''])
  return describeProcedure(appRouter, procedure).access === 'admin' ? ofStaff(part) : part
}

function operation(row: Row): object {
  const { input, output, access } = describeProcedure(appRouter, row.procedure)
  const fields = input ? inputSchema(input) : {}
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const rest = Object.entries(fields.properties ?? {}).filter(
    ([name]) => !inPath.includes(name) && name !== 'idempotencyKey',
  )
  const required = new Set(fields.required ?? [])
  const parameter = (place: string, name: string, schema: JsonSchema | undefined) =>
    parameterOf(place, name, schema, place === 'path' || required.has(name))
  const idempotent = fields.properties && 'idempotencyKey' in fields.properties
  const parameters = [
    ...inPath.map((name) => parameter('path', name, fields.properties?.[name])),
    ...(row.method === 'GET' ? rest.map(([name, schema]) => parameter('query', name, schema)) : []),
    ...(idempotent ? [idempotencyHeader] : []),
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
    operationId: operationId(row.method, row.path),
    tags: [tagOf(row)],
    summary: summaries[row.procedure],
    description: `${access === 'admin' ? onlyStaff : ''}tRPC: \`${row.procedure}\``,
    security: access ? signedIn : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: { description: states.succeeded, content: { 'application/json': { schema: row.shape.schema(reply) } } },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const operationId = (method: Row['method'], path: string) =>
  `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())}`

const parameterOf = (place: string, name: string, schema: JsonSchema | undefined, required: boolean) => ({
  name,
  in: place,
  required,
  schema: schema ?? { type: 'string' },
})

const sentences: ReadonlyMap<string, string> = new Map(Object.entries(summaries))

/** A list as a file, by the list's own conditions. */
function download(path: string, procedure: string, format: FileFormat): object {
  const { input, access } = describeProcedure(appRouter, procedure)
  const asked = Object.entries((input && inputSchema(input).properties) ?? {})
  const parameters = asked
    .filter(([name]) => name !== 'page' && name !== 'size')
    .map(([name, schema]) => parameterOf('query', name, schema, false))
  const { ending, type } = fileFormats[format]
  return {
    operationId: operationId('GET', `${path}${ending}`),
    tags: [tagOf({ procedure })],
    summary: `${ofAll(must(sentences.get(procedure)))}，以 ${format.toUpperCase()} 文件下载`,
    description: `${access === 'admin' ? onlyStaff : ''}最多 ${mostExported} 行。tRPC: \`${procedure}\``,
    security: signedIn,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      200: { description: states.succeeded, content: { [mediaType(type)]: { schema: { type: 'string' } } } },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** A file has no pages, of which the list's sentence may speak first. */
const ofAll = (sentence: string) => sentence.slice(Math.max(0, sentence.indexOf('列出')))

const mediaType = (type: string) => type.split(';')[0] ?? type

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: '自选的键，重复发送时不变',
  schema: { type: 'string', ...keyLength },
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
