import {
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  type AnyTRPCRouter,
  type TRPCProcedureType,
} from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendKept, type KeptAnswer } from './kept-answers.js'
import { procedureType } from '../../trpc/describe.js'
import { asUnserved } from '../../trpc/init.js'

/** As the web client sends (packages/web/src/api/trpc.ts). */
const maxBatchSize = 20

type Door = {
  prefix: string
  router: AnyTRPCRouter
  context(request: FastifyRequest, reply: FastifyReply): unknown
  kept?(path: string): Promise<KeptAnswer | null>
  onError(error: TRPCError, path: string | undefined, request: FastifyRequest): void
}

/**
 * Queries and mutations, alone and in batches, as httpLink and httpBatchLink speak (trpc.io/docs/rpc). tRPC's own
 * adapter costs more than most calls (decision 0065).
 */
export async function registerProcedures(app: FastifyInstance, door: Door): Promise<void> {
  await app.register(
    async (scope) => {
      // Parsed where a call asks for its input: a refusal is that call's.
      scope.removeContentTypeParser('application/json')
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
      scope.all<Route>('/:path', (request, reply) => answer(door, request, reply))
    },
    { prefix: door.prefix },
  )
}

type Route = { Params: { path: string }; Querystring: Record<string, unknown> }
type Request = FastifyRequest<Route>

async function answer(door: Door, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  if (request.method === 'HEAD') return reply.status(204).send()
  const { batched, answers } = await answersTo(door, request, reply)
  const [first = 200, ...others] = answers.map(({ status }) => status)
  const texts = answers.map(({ text }) => text).join(',')
  const text = batched ? `[${texts}]` : texts
  const tags = answers.flatMap(({ tag }) => tag ?? [])
  if (tags.length === answers.length) return sendKept(request, reply, text, tags)
  return reply
    .status(others.every((status) => status === first) ? first : 207)
    .header('content-type', 'application/json')
    .send(text)
}

export const resultForm = { name: 'result', body: (data: unknown) => ({ result: { data } }) }

type Asked = {
  door: Door
  request: Request
  reply: FastifyReply
  context: () => unknown
  signal: AbortSignal | undefined
}
type Answer = { status: number; text: string; tag?: string }
type Call = { path: string; type: TRPCProcedureType | null; input(): unknown }

/** What is wrong with the whole request is one refusal. */
async function answersTo(
  door: Door,
  request: Request,
  reply: FastifyReply,
): Promise<{ batched: boolean; answers: Answer[] }> {
  const batched = request.query['batch'] === '1'
  const { path } = request.params
  try {
    const calls = readCalls(door.router, request, batched ? path.split(',') : [path], batched)
    let opened: unknown = null
    const context = () => (opened ??= door.context(request, reply))
    // A query is over soon; a held poll must not outlive its client.
    const signal = request.method === 'POST' ? leaving(reply) : undefined
    const asked = { door, request, reply, context, signal }
    return { batched, answers: await Promise.all(calls.map((call, index) => runCall(asked, call, index))) }
  } catch (cause) {
    return { batched: false, answers: [refusedBy(door, request, cause, null)] }
  }
}

function readCalls(router: AnyTRPCRouter, request: Request, paths: string[], batched: boolean): Call[] {
  if (request.method === 'POST' && !/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE' })
  if (paths.length > maxBatchSize) throw new TRPCError({ code: 'BAD_REQUEST', message: 'too many calls in a batch' })
  const inputs = inputsOf(request, batched)
  const calls = paths.map((path, index) => ({
    path,
    type: procedureType(router, path),
    input: () => inputs()[index],
  }))
  const types = new Set(calls.map(({ type }) => type).filter((type) => type !== null))
  if (types.size > 1) throw new TRPCError({ code: 'BAD_REQUEST', message: 'queries and mutations in one batch' })
  return calls
}

function inputsOf(request: Request, batched: boolean): () => Record<number, unknown> {
  let read: Record<number, unknown> | null = null
  return () => (read ??= readInputs(request, batched))
}

function readInputs(request: Request, batched: boolean): Record<number, unknown> {
  const text = request.method === 'GET' ? request.query['input'] : request.body
  if (typeof text !== 'string' || text === '') return {}
  const input = parse(text)
  if (!batched) return [input]
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'the input of a batch is an object' })
  return { ...input }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause })
  }
}

const typeByMethod: Record<string, TRPCProcedureType> = { GET: 'query', POST: 'mutation' }

async function runCall(
  { door, request, reply, context, signal }: Asked,
  call: Call,
  batchIndex: number,
): Promise<Answer> {
  const { path, type } = call
  try {
    // Subscriptions are for sockets.
    if (type === null || type === 'subscription') throw new TRPCError({ code: 'NOT_FOUND' })
    if (typeByMethod[request.method] !== type) {
      void reply.header('allow', type === 'query' ? 'GET' : 'POST')
      throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED' })
    }
    const kept = call.input() === undefined ? await door.kept?.(path) : null
    if (kept) return { status: 200, ...kept }
    const data = await callTRPCProcedure({
      router: door.router,
      path,
      type,
      ctx: await context(),
      getRawInput: async () => call.input(),
      signal,
      batchIndex,
    })
    return { status: 200, text: JSON.stringify(resultForm.body(data)) }
  } catch (cause) {
    return refusedBy(door, request, cause, call)
  }
}

/** Fastify's `request.signal` tells nothing once the body is read. */
function leaving(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) left.abort()
  })
  return left.signal
}

function refusedBy({ router, onError }: Door, request: Request, cause: unknown, call: Call | null): Answer {
  const error = asUnserved(getTRPCErrorFromUnknown(cause))
  onError(error, call?.path, request)
  const config = router._def._config
  const type = call?.type ?? 'unknown'
  const shape: unknown = getTRPCErrorShape({ config, error, type, path: call?.path, input: undefined, ctx: undefined })
  return { status: getHTTPStatusCodeFromError(error), text: JSON.stringify({ error: shape }) }
}
