import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import compress from '@fastify/compress'
import websocket from '@fastify/websocket'
import { TRPCError } from '@trpc/server'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import helmet from 'helmet'
import type { Config } from './config.js'
import type { Deps } from './deps.js'
import { agentGate, logStranger } from './http/agents/gate.js'
import { agentContext } from './http/agents/init.js'
import { agentRouter } from './http/agents/router.js'
import { registerEpayNotify } from './http/callbacks/epay.js'
import { registerDocs } from './http/rest/docs.js'
import { exportedFiles } from './http/exports/lists.js'
import { registerExports } from './http/exports/register-exports.js'
import { registerHealth } from './http/health.js'
import { registerMetrics } from './http/metrics.js'
import { keptAnswer } from './http/trpc/kept-answers.js'
import { registerForCrawlers } from './http/pages/for-crawlers.js'
import { hashOf, readPlainLook, type PlainLook } from './http/pages/plain-look.js'
import { registerStatusFeed } from './http/pages/status-feed.js'
import { registerProcedures, resultForm } from './http/trpc/procedures.js'
import { registerRemote } from './http/remote/register-remote.js'
import { knowMethods } from './http/other-methods.js'
import { registerRest } from './http/rest/adapter.js'
import { sendRefusal } from './http/send-refusal.js'
import { registerStatic } from './http/pages/static.js'
import { appRouter } from './http/trpc/app-router.js'
import { httpContext } from './http/caller.js'
import { isBadFrame } from './http/bad-frames.js'
import { notJson, notPacked, notUtf8 } from './http/input.js'
import { refuseUnreadable } from './http/refuse-unreadable.js'
import { refusalOf } from './trpc/init.js'
import { registerSockets } from './http/trpc/sockets.js'
import { checkOrigin } from './http/origin.js'
import { logUnserved } from './security-log.js'
import { Refusal, toRefusal, unavailable } from './errors.js'

const requestMs = 30_000
const bodyBytes = 256 * 1024
const agentBodyBytes = 8 * 1024 * 1024
/** Who sleeps answers no close: a stopping process would be ended in its acts. */
const socketOptions = { maxPayload: 64 * 1024, closeTimeout: 5_000 }
/** SHA-256 of nothing: styled-components' empty style tag (dependencies, 4.5). */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
/** react-aria's style tag. */
const reactAriaStyle = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

/** All entry points. */
export async function build(deps: Deps): Promise<FastifyInstance> {
  const app = openServer(deps)
  const refuseMethod = knowMethods(app)
  guardRequests(app, deps)
  takeBodies(app)
  const look = readPlainLook()
  await registerPlugins(app, deps.config, look)

  registerHealth(app, deps)
  registerMetrics(app, deps)
  registerRest(app, deps)
  registerExports(app, deps)
  await registerEpayNotify(app, deps)
  registerDocs(app, exportedFiles)
  await registerTrpc(app, deps)
  registerForCrawlers(app, deps)
  registerStatusFeed(app, deps)
  await registerStatic(app, deps, look, refuseMethod)
  return app
}

function openServer({ config, log }: Deps): FastifyInstance {
  return fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytes,
    // A trickling body holds memory. `headersTimeout` is not larger: Node would swap the two.
    requestTimeout: requestMs,
    http: { headersTimeout: requestMs, connectionsCheckingInterval: 5_000 },
    genReqId: () => randomUUID(),
    // One for each request would look through its number for secrets.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // On stopping, does not wait for idle connections.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 5000 },
    frameworkErrors: (_error, request, reply) => {
      void reply.header('x-request-id', request.id)
      void sendRefusal(reply, new Refusal('INVALID_INPUT'))
    },
    clientErrorHandler: refuseUnreadable,
  })
}

function guardRequests(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    // Not kept on the way, nor for a browser's next user.
    if (isOurs(request)) void reply.header('cache-control', 'no-store')
    // The HTTP server would not close a refused upgrade's socket.
    if (request.headers.upgrade) reply.raw.once('finish', () => request.raw.socket.destroySoon())
    const refusal =
      checkOrigin(request, deps.config) ?? (isOurs(request) && !deps.health.answers ? unavailable() : null)
    if (refusal) return sendRefusal(reply, refusal)
  })
  app.addHook('onRequest', agentGate(deps, bodyBytes))
  app.addHook('preClose', async () => deps.stopping.abort())
  // The process stops: no further request on this connection.
  app.addHook('onSend', async (_request, reply) => {
    if (deps.stopping.signal.aborted) void reply.header('connection', 'close')
  })
  app.setErrorHandler((error: { statusCode?: number; code?: string }, request, reply) => {
    if (error.statusCode === 413) return sendRefusal(reply, new Refusal('BODY_TOO_LARGE'))
    if (error.statusCode === 415 || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY')
      return sendRefusal(reply, new Refusal('INVALID_INPUT', { message: notJson }))
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendRefusal(reply, new Refusal('INVALID_INPUT'))
    const refusal = error instanceof TRPCError ? refusalOf(error) : (toRefusal(error) ?? new Refusal('INTERNAL'))
    if (!reply.raw.headersSent) forgetFile(reply)
    if (refusal.code === 'INTERNAL') request.log.error({ err: error, reqId: request.id }, 'request failed')
    return sendRefusal(reply, refusal)
  })
}

/** It broke off before its first byte went: Fastify has told the response already what it was to be. */
function forgetFile(reply: FastifyReply): void {
  for (const name of ['content-type', 'content-encoding', 'content-disposition']) {
    void reply.removeHeader(name)
    reply.raw.removeHeader(name)
  }
}

/** Many clients name a type for a body they do not send; and in some consoles letters are of another encoding. */
function takeBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      return done(new Refusal('INVALID_INPUT', { message: notPacked }))
    if (!isUtf8(body)) return done(new Refusal('INVALID_INPUT', { message: notUtf8 }))
    return parse(request, body.toString(), done)
  })
}

async function registerPlugins(app: FastifyInstance, config: Config, look: PlainLook | null): Promise<void> {
  // Fastify's plugin works these same headers out for each request.
  const secure = helmet({
    contentSecurityPolicy: {
      directives: {
        'script-src': ["'self'", ...(look ? [hashOf(look.script)] : [])],
        'connect-src': ["'self'", ...socketOrigins(config.publicUrl)],
        'style-src': ["'self'", emptyStyle, reactAriaStyle, ...(look ? [hashOf(look.style)] : [])],
        'img-src': ["'self'", 'data:'],
        'font-src': null, // as all else
        'frame-ancestors': ["'none'"],
        'upgrade-insecure-requests': null,
      },
    },
    xFrameOptions: { action: 'deny' },
    // A shop at a domain's root would close its other names' plain pages for half a year.
    strictTransportSecurity: config.publicUrl.startsWith('https:')
      ? { maxAge: 15_552_000, includeSubDomains: false }
      : false,
  })
  app.addHook('onRequest', (request, reply, next) => secure(request.raw, reply.raw, () => next()))
  await app.register(cookie)
  // Fastify refuses what unpacks to too much, and lets it go on unpacking: kilobytes are minutes of a processor.
  await app.register(compress, { threshold: 1024, globalDecompression: false })
  await app.register(websocket, {
    options: socketOptions,
    errorHandler(error, socket, request) {
      if (!isBadFrame(error)) request.log.error({ err: error, reqId: request.id }, 'a socket failed')
      socket.terminate()
    },
  })
}

async function registerTrpc(app: FastifyInstance, deps: Deps): Promise<void> {
  await registerProcedures(app, {
    prefix: '/trpc',
    router: appRouter,
    context: (request, reply) => httpContext(deps, request.method === 'GET' ? 'query' : 'act', request, reply),
    kept: (path) => keptAnswer(deps, path, resultForm),
    onError(error, path) {
      const refusal = refusalOf(error)
      if (refusal.code === 'INTERNAL') deps.log.error({ err: error, path }, 'procedure failed')
      else logUnserved(deps.log, path ?? '', refusal)
    },
  })
  registerSockets(app, deps)
  registerRemote(app, deps)
  // Its own scope: a large inventory exceeds a customer's limit.
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/agent/')) route.bodyLimit = agentBodyBytes
  })
  await registerProcedures(app, {
    prefix: '/agent',
    router: agentRouter,
    context: (request) => agentContext(deps, request),
    onError(error, path, request) {
      if (error.cause instanceof Refusal) {
        if (error.cause.code === 'UNAUTHENTICATED') logStranger(deps, request, error.cause)
      } else if (error.code === 'INTERNAL_SERVER_ERROR') deps.log.error({ err: error, path }, 'agent call failed')
    },
  })
}

/** By the route: an address can be written in many ways. */
const isOurs = ({ routeOptions, url }: FastifyRequest) => /^\/(api|trpc|agent)\//.test(routeOptions.url ?? url)

/** For older Safari 'self' excludes the page's own sockets. */
function socketOrigins(publicUrl: string): string[] {
  return [publicUrl.replace(/^http/, 'ws')].map((url) => new URL(url).origin)
}
