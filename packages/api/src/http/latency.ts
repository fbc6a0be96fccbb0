import { latencyEdgesMs, timedRoutes, type LatencyBucket, type TimedDoor } from '@vps/shared/latency'
import type { FastifyRequest } from 'fastify'
import type { Histogram } from 'prom-client'
import type { Deps } from '../deps.js'
import { addLatency } from '../operations/latency.js'
import { must } from '../must.js'

type Labels = 'door' | 'method' | 'route' | 'status' | 'le'
type Counts = Map<TimedDoor, Map<number, number>>

/** `other` (pages, files, sockets, long polls) is not timed. */
export function doorOf(request: FastifyRequest): TimedDoor | 'other' {
  const route = request.routeOptions.url ?? ''
  if (request.headers.upgrade !== undefined) return 'other'
  if (route.startsWith('/trpc/')) return 'web'
  if (route.startsWith('/api/')) return 'rest'
  if (!route.startsWith('/agent/')) return 'other'
  return /[/,]claim\b/.test(request.url) ? 'other' : 'agent'
}

/** Adds what was measured since the last call to the running minute. A failed write is made up next time. */
export function latencyWriter(histogram: Histogram<Labels>, deps: Deps): () => Promise<void> {
  let written: Counts = new Map()
  let writing = Promise.resolve()

  async function write(): Promise<void> {
    if (!deps.health.answers) return // What watches it tells so, once.
    const counted = await countsOf(histogram)
    const rows = rowsBetween(written, counted)
    if (rows.length === 0) return
    const minute = new Date(Math.floor(deps.now().getTime() / 60_000) * 60_000)
    await addLatency(deps.db, minute, rows)
    written = counted
    deps.notifications.send([{ shop: 'latency' }])
  }

  return () => {
    // Two would write the same difference.
    writing = writing.then(write).catch((error: unknown) => deps.log.warn({ err: error }, 'latency was not written'))
    return writing
  }
}

/** Prometheus' buckets are cumulative; these are not. */
async function countsOf(histogram: Histogram<Labels>): Promise<Counts> {
  const upTo = new Map<string, Map<number, number>>(timedRoutes.map((door) => [door, new Map()]))
  for (const { labels, value, metricName } of (await histogram.get()).values) {
    const sums = upTo.get(String(labels.door))
    if (!sums || !metricName?.endsWith('_bucket')) continue
    const edge = Number(labels.le) <= lastTimedMs / 1000 ? Math.round(Number(labels.le) * 1000) : lastEdgeMs
    sums.set(edge, (sums.get(edge) ?? 0) + value)
  }
  const own = (sums: Map<number, number>) =>
    new Map(
      latencyEdgesMs.map((edge, i) => [edge, (sums.get(edge) ?? 0) - (sums.get(latencyEdgesMs[i - 1] ?? 0) ?? 0)]),
    )
  return new Map(timedRoutes.map((door) => [door, own(upTo.get(door) ?? new Map())]))
}

function rowsBetween(before: Counts, after: Counts): (LatencyBucket & { door: TimedDoor })[] {
  return [...after].flatMap(([door, counts]) =>
    [...counts]
      .map(([upToMs, count]) => ({ door, upToMs, requests: count - (before.get(door)?.get(upToMs) ?? 0) }))
      .filter(({ requests }) => requests > 0),
  )
}

const lastEdgeMs = must(latencyEdgesMs.at(-1))
const lastTimedMs = must(latencyEdgesMs.at(-2))

/** In seconds, without infinity. */
export const timedEdgesSeconds = latencyEdgesMs.filter((edge) => edge <= lastTimedMs).map((edge) => edge / 1000)
