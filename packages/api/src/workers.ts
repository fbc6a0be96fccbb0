/**
 * WORKERS: so many processes behind one port, each a whole API as several on several machines are (nothing is kept in a
 * process but what it can read anew). The first process serves nobody: it migrates, forks, replaces who dies, and adds
 * up what they measured.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { AggregatorRegistry } from 'prom-client'

const calmMs = 5_000
const longestPauseMs = 30_000
/** Said to a worker, and by a worker. */
const stop = 'stop'
const begun = 'begun'
const measure = 'measure'
type Measured = { measured: string | null }

/**
 * Each worker has a socket of its own on the port, and the kernel deals connections out. Handing them on (cluster's own
 * way) leaves a client hanging whose connection is on its way to a worker that dies.
 */
export const shared = () => (cluster.isWorker ? { reusePort: true } : {})

/** Such sockets would share the port with another program's. EADDRINUSE. */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const alone = createServer().listen({ host, port, exclusive: true })
  await once(alone, 'listening')
  alone.close()
  await once(alone, 'close')
}

/** In the first process. One that cannot begin at all ends everything with its exit code. */
export function forkWorkers(count: number, graceMs: number, log: Logger): void {
  const measured = new AggregatorRegistry()
  const stopping = new AbortController()
  let someBegan = false

  async function keep(): Promise<void> {
    for (let failures = 0; ;) {
      const bornAt = performance.now()
      const worker = cluster.fork()
      worker.on('message', (message) => {
        if (message === begun) someBegan = true
        // Said before it listened, it was heard by nobody.
        if (message === begun && stopping.signal.aborted) worker.send(stop)
        if (message === measure) void tell(worker, measured, log)
      })
      const [code, signal]: unknown[] = await once(worker, 'exit')
      if (stopping.signal.aborted) return
      if (!someBegan) process.exit(typeof code === 'number' ? code : 1)
      failures = performance.now() - bornAt > calmMs ? 0 : failures + 1
      const pauseMs = Math.min(250 * 2 ** failures, longestPauseMs)
      log.error({ pid: worker.process.pid, code, signal, pauseMs }, 'a worker ended; another takes its place')
      await setTimeout(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    }
  }

  // Before the first is there: a signal that nobody hears ends this process alone.
  const kept: Promise<void>[] = []
  closeWithGrace({ delay: graceMs, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an error')
    stopping.abort()
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(stop)
    await Promise.all(kept)
  })
  while (kept.length < count) kept.push(keep())
}

async function tell(worker: Worker, measured: InstanceType<typeof AggregatorRegistry>, log: Logger): Promise<void> {
  const text = await measured.clusterMetrics().catch((error: unknown) => {
    log.warn({ err: error }, 'what the workers measured could not be added up')
    return null
  })
  if (worker.isConnected()) worker.send({ measured: text } satisfies Measured)
}

/** In a worker, once it serves. */
export function tellBegun(): void {
  if (cluster.isWorker) process.send?.(begun)
}

/**
 * In a worker. A terminal or a supervisor may signal the whole group beside what the first process says: once is
 * enough.
 */
export function closeWhenAsked(close: () => void): void {
  let asked = false
  const begin = () => {
    if (!asked) close()
    asked = true
  }
  process.on('SIGTERM', begin).on('SIGINT', begin)
  process.on('message', (message) => void (message === stop && begin()))
}

let asking: Promise<string | null> | null = null

/** In a worker: what all measured, added up; null when that cannot be told. */
export function measuredByAll(): Promise<string | null> {
  asking ??= new Promise<string | null>((resolve) => {
    const hear = (message: unknown) => {
      if (!isMeasured(message)) return
      process.off('message', hear)
      asking = null
      resolve(message.measured)
    }
    process.on('message', hear)
    process.send?.(measure)
  })
  return asking
}

const isMeasured = (message: unknown): message is Measured =>
  typeof message === 'object' && message !== null && 'measured' in message
