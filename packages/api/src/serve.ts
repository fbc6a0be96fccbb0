import cluster from 'node:cluster'
import { Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { build } from './build.js'
import { readConfig, ConfigFault, type Config } from './config.js'
import { refuseSharedSessions, tellScarceConnections } from './db/connections.js'
import { mayChangeSchema } from './db/grants.js'
import { tellLooseCommits } from './db/kept-commits.js'
import { migrate, refuseUnmigrated } from './db/migrate.js'
import { watchDatabase } from './db/watch.js'
import { closeDeps, openDeps, openLog, type Deps } from './deps.js'
import { configuredEngine } from './metrics/configured-engine.js'
import { operatorSentence } from './operator-sentence.js'
import { configuredGateways } from './payments/configured-gateway.js'
import { runWorker } from './schedule/run.js'
import { refuseForeignSecret } from './secrets/refuse-foreign-secret.js'
import { closeWhenAsked, forkWorkers, refuseTakenPort, shared, tellBegun } from './workers.js'

/** Added by packages/demo; never in production. */
export type Demo = {
  /** Before anything is opened; gives the settings. */
  prepare(config: Config): Promise<Config>
  seed(deps: Deps): Promise<void>
  register(app: FastifyInstance, deps: Deps): void
  close(): Promise<void>
}

/** What the operator can mend is one sentence and exit code 1. */
export function serve(env: NodeJS.ProcessEnv, demo?: Demo): void {
  run(env, demo).catch((error: unknown) => {
    const text = operatorSentence(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
    process.stderr.write(`${text}\n`)
    process.exit(1)
  })
}

async function run(env: NodeJS.ProcessEnv, demo: Demo | undefined): Promise<void> {
  const asked = readConfig(env)
  if (asked.demo && !demo) throw new ConfigFault('The demo is a program of its own: npm start runs it, or set DEMO=0.')
  if (cluster.isPrimary) {
    await refuseForeignRelay(asked)
    await migrate(asked)
  } else await refuseUnmigrated(asked)
  const graceMs = (asked.drainSeconds + answerSeconds + 10) * 1000
  if (cluster.isPrimary && asked.workers > 1) {
    await atItsHost(refuseTakenPort(asked.host, asked.port))
    return forkWorkers(asked.workers, graceMs + 1_000, openLog(asked))
  }
  const config = demo ? await demo.prepare(asked) : asked
  const log = openLog(config)
  const engines = { ...configuredGateways(config), metricEngine: configuredEngine(config, log) }
  const deps = await openDeps(config, { log, ...engines })
  await refuseSharedSessions(() => deps.pools.commands.connect())
  if (await mayChangeSchema(deps.db))
    deps.log.warn(
      'the role of DATABASE_URL owns the tables, so nothing holds it back: give it rows alone and migrate as DATABASE_OWNER_URL',
    )
  if (!cluster.worker || cluster.worker.id === 1) {
    await tellScarceConnections(deps)
    await tellLooseCommits(deps)
  }
  await refuseForeignSecret(deps.db, deps.vault)
  await demo?.seed(deps)
  const app = await build(deps)
  demo?.register(app, deps)
  const connections = openConnections(app)
  const worker = await runWorker(deps)
  const watch = watchDatabase(deps)
  const skip: closeWithGrace.AllEvents[] = cluster.isWorker ? ['SIGTERM', 'SIGINT'] : []
  const { close } = closeWithGrace({ delay: graceMs, logger: false, skip }, async ({ err }) => {
    if (err) deps.log.fatal({ err }, 'stopping after an error')
    // Readiness first, for a balancer; then the listener and open requests.
    deps.stopping.abort()
    if (config.drainSeconds > 0) await setTimeout(config.drainSeconds * 1000)
    await closeDoors(app, connections)
    await worker.stop()
    await demo?.close()
    await watch.stop()
    await closeDeps(deps)
  })
  if (cluster.isWorker) closeWhenAsked(close)
  await atItsHost(app.listen({ host: config.host, port: config.port, ...shared() }))
  tellBegun()
  deps.log.info({ url: config.publicUrl }, 'ready')
}

/** An unknown name is not the database's here. */
async function atItsHost(listening: Promise<unknown>): Promise<void> {
  await listening.catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'getaddrinfo' ? new ConfigFault('HOST is no address of this machine.') : error
  })
}

/** Else each remote console would fail, and say nothing of the setting. */
async function refuseForeignRelay({ relayAddress }: Config): Promise<void> {
  await refuseTakenPort(relayAddress, 0).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRNOTAVAIL' ? new ConfigFault('RELAY_ADDRESS is no address of this machine.') : error
  })
}

const answerSeconds = 20
const lastWordMs = 300

async function closeDoors(app: FastifyInstance, connections: ReadonlySet<Socket>): Promise<void> {
  // The HTTP server's own end cuts kept connections with what is asked on them: they are told first.
  Server.prototype.close.call(app.server)
  await setTimeout(lastWordMs)
  // Opened ahead by a browser or balancer; Node would wait for them.
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
  const cut = globalThis.setTimeout(() => app.server.closeAllConnections(), answerSeconds * 1000)
  await app.close()
  clearTimeout(cut)
}

function openConnections({ server }: FastifyInstance): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}
