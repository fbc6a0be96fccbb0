import cluster from 'node:cluster'
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.js'
import type { Deps } from '../deps.js'
import { Refusal, unavailable } from '../errors.js'
import { measuredByAll } from '../workers.js'
import { doorOf, latencyWriter, timedEdgesSeconds } from './latency.js'
import { sendRefusal } from './send-refusal.js'
import { bearerToken } from './caller.js'

const writeEveryMs = 10_000

/** With METRICS_TOKEN as bearer; without it closed in production, elsewhere open to direct loopback connections. */
export function registerMetrics(app: FastifyInstance, deps: Deps): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  if (cluster.isWorker) answerFirstProcess(registry)
  new Gauge({
    name: 'clock_ahead_seconds',
    help: 'How far the clock of this process is ahead of the database’s; beyond 5 s either way it runs no timer.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(deps.health.clockAheadMs / 1000)
    },
  })
  new Gauge({
    name: 'database_answers',
    help: '1 while the database answers this process.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(deps.health.answers ? 1 : 0)
    },
  })
  new Gauge({
    name: 'database_takes_changes',
    help: '1 while the database answers this process and is not one that may only be read.',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(deps.health.answers && !deps.health.isReadOnly ? 1 : 0)
    },
  })
  new Gauge({
    name: 'database_connections',
    help: 'Connections by share (commands, reads, visitors) and state; `waiting` are calls that wait for one.',
    labelNames: ['share', 'state'],
    registers: [registry],
    collect() {
      for (const [share, pool] of Object.entries(deps.pools)) {
        this.set({ share, state: 'busy' }, pool.totalCount - pool.idleCount)
        this.set({ share, state: 'idle' }, pool.idleCount)
        this.set({ share, state: 'waiting' }, pool.waitingCount)
      }
    },
  })
  const duration = new Histogram({
    name: 'http_request_seconds',
    help: 'Seconds per HTTP request by door, route and status.',
    labelNames: ['door', 'method', 'route', 'status'],
    buckets: timedEdgesSeconds,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const labels = { door: doorOf(request), method: request.method, route, status: reply.statusCode }
    duration.observe(labels, reply.elapsedTime / 1000)
  })
  const write = latencyWriter(duration, deps)
  const timer = setInterval(() => void write(), writeEveryMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await write()
  })
  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    if (!mayRead(request, deps.config)) return sendRefusal(reply, new Refusal('FORBIDDEN'))
    const text = await (cluster.isWorker ? measuredByAll() : registry.metrics())
    return text === null ? sendRefusal(reply, unavailable()) : reply.type(registry.contentType).send(text)
  })
}

/** Whichever worker is asked, the first process adds up what all measured (workers.ts). */
function answerFirstProcess(registry: Registry): void {
  AggregatorRegistry.setRegistries([registry])
  new AggregatorRegistry()
}

function mayRead(request: FastifyRequest, { metricsToken: token, production }: Config): boolean {
  if (token === null) {
    // Behind a local proxy all come from loopback.
    if (production) return false
    const forwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip'].some((name) => name in request.headers)
    return !forwarded && /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
  }
  const given = Buffer.from(bearerToken(request.headers.authorization) ?? '')
  const wanted = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
