/**
 * WORKERS: so many processes behind one port, each a whole API (it keeps nothing that it cannot read anew). The first
 * only migrates, forks, replaces the dead, and adds up what all measured.
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
const stop = 'stop'
const begun = 'begun'
const measure = 'measure'
type Measured = { measured: string | null }

/**
 * Each worker has its own socket on the port; the kernel deals connections out. Cluster's own way leaves a client
 * hanging whose connection goes to a dying worker.
 */
export const shared = () => (cluster.isWorker ? { reusePort: true } : {})

/** Such sockets would share the port with another program. EADDRINUSE. */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const alone = createServer().listen({ host, port, exclusive: true })
  await once(alone, 'listening')
  alone.close()
  await once(alone, 'close')
}

/** In the first process. One that cannot begin ends all with its exit code. */
export function forkWorkers(count: number, graceMs: number, log: Logger): void {
  const measured = new AggregatorRegistry()
  const stopping = new AbortController()
  let someBegan = false

  /** Until it ended, or could not be begun, as where memory or open files are short. */
  async function lifeOfOne(): Promise<object> {
    try {
      const worker = cluster.fork()
      worker.on('message', (message) => {
        if (message === begun) someBegan = true
        // Said before it listened.
        if (message === begun && stopping.signal.aborted) say(worker, stop)
        if (message === measure) void tell(worker, measured, log)
      })
      const [code, signal]: unknown[] = await once(worker, 'exit')
      return { pid: worker.process.pid, code, signal }
    } catch (err) {
      return { err }
    }
  }

  async function keep(): Promise<void> {
    for (let failures = 0; ;) {
      const bornAt = performance.now()
      const end = await lifeOfOne()
      if (stopping.signal.aborted) return
      if (!someBegan) {
        if ('err' in end) log.fatal(end, 'no worker can be begun')
        process.exit('code' in end && typeof end.code === 'number' ? end.code : 1)
      }
      failures = performance.now() - bornAt > calmMs ? 0 : failures + 1
      const pauseMs = Math.min(250 * 2 ** failures, longestPauseMs)
      log.error({ ...end, pauseMs }, 'a worker ended; another takes its place')
      await setTimeout(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    }
  }

  // Before the first is there: an unheard signal ends this process alone.
  const kept: Promise<void>[] = []
  closeWithGrace({ delay: graceMs, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an error')
    stopping.abort()
    for (const worker of Object.values(cluster.workers ?? {})) if (worker) say(worker, stop)
    await Promise.all(kept)
  })
  while (kept.length < count) kept.push(keep())
}

async function tell(worker: Worker, measured: InstanceType<typeof AggregatorRegistry>, log: Logger): Promise<void> {
  const text = await measured.clusterMetrics().catch((error: unknown) => {
    log.warn({ err: error }, 'what the workers measured could not be added up')
    return null
  })
  say(worker, { measured: text })
}

/** One that ends just now hears nothing; without who hears that, all would end. */
function say(worker: Worker, message: typeof stop | Measured): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** In a worker, once it serves. */
export function tellBegun(): void {
  if (cluster.isWorker) process.send?.(begun)
}

/** In a worker. A terminal or supervisor may signal the whole group too. */
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

/** In a worker: what all measured, added up; null where unknown. */
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
