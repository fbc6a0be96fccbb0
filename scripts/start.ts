/**
 * `npm start`: everything on this machine, for trying out and development (`--dev` reloads on change); not for
 * production.
 *
 * Starts database → payment sandbox → API and web → host agent, stops in reverse, starts again what dies.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres, type Postgres } from './postgres.js'
import { root } from './run-command.js'
import { keepRunning, lastLogLine, type Child } from './start/child.js'
import { keptSecret, startedFor, takeDataDir } from './start/data-dir.js'
import { Refusal } from './start/refusal.js'
import {
  findFreePort,
  localUrl,
  readSettings,
  refuseBrokenDatabase,
  refuseTakenPort,
  type Settings,
} from './start/settings.js'

const development = process.argv.includes('--dev')
const readySeconds = 90
const hostSeconds = 10

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  await takeDataDir(settings.dataDir)
  const running = new Running(settings.dataDir)
  const stopped = running.stopOnSignal()
  try {
    await startAll(settings, running)
  } catch (error) {
    if (running.stopping) return stopped
    await running.stop()
    throw error
  }
  return stopped
}

async function startAll(settings: Settings, running: Running): Promise<void> {
  await refuseTakenPort(settings.host, settings.port)
  const database = await openDatabase(settings, running)

  // The web's development server stands in front.
  const apiPort = development ? await findFreePort(settings.host, settings.port + 10) : settings.port
  const gateway = settings.ownGateway ? await startGateway(settings, running) : {}

  say('starting API and web')
  const apiUrl = localUrl(settings.host, apiPort)
  const env = { ...apiEnvironment(settings, database, apiPort), ...gateway }
  const api = running.start('api', programOf(settings.demo ? 'demo' : 'api', 'main'), env)
  await waitUntilReady(`${apiUrl}/readyz`, api, running)

  if (settings.demo) {
    say(`starting the host agent (${settings.hypervisor})`)
    startAgent(1, settings, apiUrl, running)
    await waitForHost(apiUrl, running)
  }
  if (development) await startWebServer(settings, apiUrl, running)
  greet(settings, env.EPAY_URL)
  // The first is enough to buy something.
  for (let n = 2; n <= countSimulatedHosts(settings); n++) startAgent(n, settings, apiUrl, running)
}

function startAgent(n: number, settings: Settings, apiUrl: string, running: Running): void {
  running.start(numbered('agent', n), programOf('agent', 'main'), agentEnvironment(n, settings, apiUrl)).keep()
}

type Database = { DATABASE_URL: string; DATABASE_OWNER_URL: string | undefined }

/** A named one as named; else our own, where the application is not the owner. */
async function openDatabase(settings: Settings, running: Running): Promise<Database> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = settings
  if (databaseOwnerUrl) await refuseBrokenDatabase('DATABASE_OWNER_URL', databaseOwnerUrl)
  if (databaseUrl) {
    await refuseBrokenDatabase('DATABASE_URL', databaseUrl)
    return { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl }
  }
  say('starting the database')
  running.database = startPostgres({ dir: path.join(dataDir, 'postgres'), log: say, kept: true })
  const own = await running.database.catch((error: Error) => {
    throw new Refusal(`The embedded database did not start: ${error.message}.`)
  })
  return { DATABASE_URL: own.applicationUrl, DATABASE_OWNER_URL: own.url }
}

type Gateway = { EPAY_PID: string; EPAY_KEY: string; EPAY_URL: string }

async function startGateway({ host, port, publicUrl, dataDir }: Settings, running: Running): Promise<Gateway> {
  say('starting the sandbox payment gateway')
  const own = await findFreePort(host, port + 1)
  const credentials = { EPAY_PID: '1001', EPAY_KEY: keptSecret(dataDir, 'epay-key') }
  const gateway = running.start('gateway', programOf('demo', 'gateway/main'), {
    ...process.env,
    ...credentials,
    HOST: host,
    PORT: String(own),
    PUBLIC_URL: `http://${new URL(publicUrl).hostname}:${own}`,
    DATA_DIR: path.join(dataDir, 'gateway'),
  })
  const url = localUrl(host, own)
  await waitUntilReady(`${url}/readyz`, gateway, running)
  return { ...credentials, EPAY_URL: url }
}

async function startWebServer({ host, port }: Settings, apiUrl: string, running: Running): Promise<void> {
  const vite = [path.join(root, 'node_modules/.bin/vite'), '--host', host, '--port', String(port), '--strictPort']
  const web = running.start('web', vite, { ...process.env, API_URL: apiUrl }, path.join(root, 'packages/web'))
  await waitUntilReady(localUrl(host, port), web, running)
}

function apiEnvironment(settings: Settings, database: Database, port: number) {
  const { host, publicUrl, dataDir, demo, hypervisor, customers } = settings
  return {
    EPAY_URL: undefined,
    ...process.env,
    HOST: host,
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    ...database,
    DATA_DIR: dataDir,
    APP_SECRET: process.env['APP_SECRET'] || keptSecret(dataDir, 'app-secret'),
    DEMO: demo ? '1' : '0',
    // Only the simulation can be told of servers of the past, and can be more than this machine.
    ...(hypervisor === 'simulated'
      ? {
          DEMO_SEED_FOLDER: seedFolder(dataDir),
          DEMO_CUSTOMERS: String(customers),
          DEMO_ENROLMENT_TOKENS: (customers > 0 ? [1, 2, 3] : [1]).map((n) => enrolmentToken(dataDir, n)).join(','),
        }
      : { DEMO_ENROLMENT_TOKENS: enrolmentToken(dataDir, 1) }),
  }
}

function agentEnvironment(
  n: number,
  { databaseUrl, dataDir, demo, hypervisor }: Settings,
  apiUrl: string,
): NodeJS.ProcessEnv {
  const secrets = /^(DATABASE_|APP_SECRET|EPAY_|SMTP_|METRICS_)/
  return {
    ...(existsSync(seedFolder(dataDir)) ? demoHost : {}),
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !secrets.test(name))),
    API_URL: apiUrl,
    ENROLMENT_TOKEN: (n === 1 && process.env['ENROLMENT_TOKEN']) || enrolmentToken(dataDir, n),
    STATE_DIR: path.join(dataDir, numbered(agentFolder(databaseUrl), n)),
    HYPERVISOR: hypervisor,
    ...(demo && !process.env['ALLOWED_NETWORKS'] ? { ALLOWED_NETWORKS: '127.0.0.0/8,::1' } : {}),
    SIMULATED_SEED_FILE: path.join(seedFolder(dataDir), `${n}.json`),
    SIMULATED_BACKUPS_DIR: path.join(dataDir, 'simulated-backups'),
  }
}

/** As the demo's data say; those of older releases had one host of another size. */
const demoHost = { SIMULATED_CPU_CORES: '128', SIMULATED_MEMORY_MB: '786432', SIMULATED_DISK_GB: '16000' }

const numbered = (name: string, n: number) => (n === 1 ? name : `${name}-${n}`)

function enrolmentToken(dataDir: string, n: number): string {
  return keptSecret(dataDir, numbered('enrolment-token', n))
}

/** With another database the agent must enrol anew. */
function agentFolder(databaseUrl: string | undefined): string {
  return databaseUrl ? `agent-${createHash('sha256').update(databaseUrl).digest('hex').slice(0, 8)}` : 'agent'
}

/** Written with the demo's data: a file for each simulated host, with the servers that exist there. */
function seedFolder(dataDir: string): string {
  return path.join(dataDir, 'simulated-hosts')
}

function countSimulatedHosts({ demo, dataDir, hypervisor }: Settings): number {
  return demo && hypervisor === 'simulated' && existsSync(seedFolder(dataDir))
    ? readdirSync(seedFolder(dataDir)).length
    : 1
}

async function waitUntilReady(url: string, child: Child, running: Running): Promise<void> {
  const deadline = Date.now() + readySeconds * 1000
  while (Date.now() < deadline) {
    if (running.stopping) throw new Refusal('Stopped.')
    const end = child.end()
    if (end) throw new Refusal(lastLogLine(child.logFile) ?? `${child.name} ended (${end}).`)
    if ((await ask(url))?.ok) return child.keep()
    await pause(50)
  }
  throw new Refusal(`${child.name} was not ready after ${readySeconds} s; see ${child.logFile}.`)
}

/** Only then can something be bought; taking longer is no fault. */
async function waitForHost(apiUrl: string, running: Running): Promise<void> {
  const deadline = Date.now() + hostSeconds * 1000
  while (Date.now() < deadline && !running.stopping) {
    if ((await ask(`${apiUrl}/api/price-groups/active`))?.text.includes('"available":true')) return
    await pause(50)
  }
}

/** Without `fetch`, which takes longer to load than all the rest of this program (decision 0072). */
async function ask(address: string): Promise<{ ok: boolean; text: string } | null> {
  try {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get(address, { agent: false, signal: AbortSignal.timeout(2_000) }, resolve).once('error', reject)
    })
    return { ok: reply.statusCode === 200, text: await text(reply) }
  } catch {
    return null
  }
}

function programOf(name: 'api' | 'demo' | 'agent', file: string): string[] {
  const home = path.join(root, 'packages', name)
  // As `npm run agent`: beside the machines of a host its agent takes little memory.
  const flags = name === 'agent' ? ['--max-semi-space-size=4'] : []
  if (!development) return [process.execPath, ...flags, path.join(home, 'dist/bundle', `${file}.js`)]
  const watching = ['--watch', '--watch-preserve-output', '--conditions=@vps/source', '--import', 'tsx']
  return [process.execPath, ...watching, path.join(home, 'src', `${file}.ts`)]
}

class Running {
  stopping = false
  database: Promise<Postgres> | undefined
  private readonly children: Child[] = []

  constructor(private readonly dataDir: string) {}

  start(name: string, command: readonly string[], env: NodeJS.ProcessEnv, cwd = root): Child {
    if (this.stopping) throw new Refusal('Stopped.')
    const logFile = path.join(this.dataDir, 'logs', `${name}.log`)
    const child = keepRunning(
      { name, command, cwd, env: { MALLOC_ARENA_MAX: '1', ...env, [startedFor]: this.dataDir }, logFile },
      say,
    )
    this.children.push(child)
    return child
  }

  /** The agent first, so that nothing handed out stays undone; the database last. */
  async stop(): Promise<void> {
    this.stopping = true
    for (const child of this.children.toReversed()) await child.stop(15_000)
    // Also one that is still starting.
    await (await this.database?.catch(() => undefined))?.stop()
  }

  stopOnSignal(): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (this.stopping) return
        say('stopping')
        this.stop().then(resolve, reject)
      }
      process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
      // A killed npm passes no signal on.
      const parent = process.ppid
      if (process.env['npm_lifecycle_event']) setInterval(() => process.ppid !== parent && stop(), 1_000).unref()
    })
  }
}

function greet(settings: Settings, gateway: string | undefined): void {
  const url = settings.publicUrl
  const lines = [
    ['Portal', url],
    ...(settings.demo
      ? [
          ['Administrator', 'admin / Admin-demo-1'],
          ['Customer', 'demo / Demo-user-1'],
          ['Mailbox', `${url}/dev/mailbox`],
          ['Faults to play', `${url}/dev/faults`],
        ]
      : []),
    ...(settings.ownGateway ? [['Payments', `${gateway} (sandbox: no real money)`]] : []),
    ['API reference', `${url}/docs`],
    ['Logs', path.join(settings.dataDir, 'logs')],
  ]
  console.log(`\n${lines.map(([name = '', value]) => `  ${name.padEnd(16)} ${value}`).join('\n')}\n`)
  console.log('ready; Ctrl-C stops everything, npm start carries on with the same data')
}

function say(text: string): void {
  console.log(`→ ${text}`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Refusal ? error.message : error)
    process.exit(1)
  },
)
