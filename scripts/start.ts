/**
 * `npm start`: everything on this machine, for trying it out and for development (`--dev` reloads on change).
 *
 * Starts in the order database → payment sandbox → API and web → host agent, stops in the reverse one, and starts again
 * what dies. In production nothing of this is used: see README.md.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { startPostgres, type Postgres } from './postgres.js'
import { root } from './run-command.js'
import { keepRunning, lastLogLine, type Child } from './start/child.js'
import { takeDataDir, type DataDir } from './start/data-dir.js'
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
  const dataDir = await takeDataDir(settings.dataDir)
  const running = new Running(dataDir)
  const stopped = running.stopOnSignal()
  try {
    await startAll(settings, dataDir, running)
  } catch (error) {
    if (running.stopping) return stopped
    await running.stop()
    throw error
  }
  return stopped
}

async function startAll(settings: Settings, dataDir: DataDir, running: Running): Promise<void> {
  await refuseTakenPort(settings.host, settings.port)
  const database = await openDatabase(settings, dataDir, running)

  // In development the web's own server stands in front and hands on what is not a page.
  const apiPort = development ? await findFreePort(settings.host, settings.port + 10) : settings.port
  const programs = programEnvironment(settings, dataDir, database, apiPort)
  if (settings.ownGateway) Object.assign(programs, await startGateway(settings, dataDir, running))

  say('starting API and web')
  const apiUrl = localUrl(settings.host, apiPort)
  const api = running.start('api', programOf(settings.demo ? 'demo' : 'api', 'main'), programs)
  await waitUntilReady(apiUrl, api, running)

  if (settings.demo) {
    say(`starting the host agent (${settings.hypervisor})`)
    running.start('agent', programOf('agent', 'main'), agentEnvironment(settings, dataDir, apiUrl)).keep()
    await waitForHost(apiUrl, running)
  }
  if (development) await startWebServer(settings, apiUrl, running)
  greet(settings, programs['EPAY_URL'])
}

type Database = { DATABASE_URL: string; DATABASE_OWNER_URL: string | undefined }

/** The one that was named, as it was named; else our own, where the application is not the owner. */
async function openDatabase(settings: Settings, dataDir: DataDir, running: Running): Promise<Database> {
  const { databaseUrl, databaseOwnerUrl } = settings
  if (databaseOwnerUrl) await refuseBrokenDatabase('DATABASE_OWNER_URL', databaseOwnerUrl)
  if (databaseUrl) {
    await refuseBrokenDatabase('DATABASE_URL', databaseUrl)
    return { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl }
  }
  say('starting the database')
  running.database = await startPostgres({ dir: path.join(dataDir.path, 'postgres'), log: say }).catch(
    (error: Error) => {
      throw new Refusal(`The embedded database did not start: ${error.message}.`)
    },
  )
  return { DATABASE_URL: running.database.applicationUrl, DATABASE_OWNER_URL: running.database.url }
}

async function startGateway(settings: Settings, dataDir: DataDir, running: Running): Promise<NodeJS.ProcessEnv> {
  say('starting the sandbox payment gateway')
  const port = await findFreePort(settings.host, settings.port + 1)
  const credentials = { EPAY_PID: '1001', EPAY_KEY: dataDir.secret('epay-key') }
  const address = new URL(settings.publicUrl)
  const gateway = running.start('gateway', programOf('demo', 'gateway/main'), {
    ...process.env,
    ...credentials,
    HOST: settings.host,
    PORT: String(port),
    PUBLIC_URL: `http://${address.hostname}:${port}`,
    DATA_DIR: path.join(dataDir.path, 'gateway'),
  })
  const url = localUrl(settings.host, port)
  await waitUntilReady(url, gateway, running)
  return { ...credentials, EPAY_URL: url }
}

async function startWebServer(settings: Settings, apiUrl: string, running: Running): Promise<void> {
  const address = ['--host', settings.host, '--port', String(settings.port), '--strictPort']
  const env = { ...process.env, API_URL: apiUrl }
  const vite = path.join(root, 'node_modules', '.bin', 'vite')
  const web = running.start('web', [vite, ...address], env, path.join(root, 'packages/web'))
  await waitUntilReady(localUrl(settings.host, settings.port), web, running, '/')
}

function programEnvironment(settings: Settings, dataDir: DataDir, database: Database, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOST: settings.host,
    PORT: String(port),
    PUBLIC_URL: settings.publicUrl,
    ...database,
    DATA_DIR: dataDir.path,
    APP_SECRET: process.env['APP_SECRET'] || dataDir.secret('app-secret'),
    DEMO: settings.demo ? '1' : '0',
    DEMO_ENROLMENT_TOKEN: dataDir.secret('enrolment-token'),
    // On a real host the demo's customer has no servers yet: they exist only where the simulation can be told of them.
    ...(settings.hypervisor === 'simulated' ? { DEMO_SEED_FILE: seedFile(dataDir) } : {}),
  }
}

function agentEnvironment(settings: Settings, dataDir: DataDir, apiUrl: string): NodeJS.ProcessEnv {
  const {
    DATABASE_URL: _database,
    DATABASE_OWNER_URL: _owner,
    APP_SECRET: _secret,
    EPAY_KEY: _key,
    ...rest
  } = process.env
  return {
    ...rest,
    API_URL: apiUrl,
    ENROLMENT_TOKEN: process.env['ENROLMENT_TOKEN'] || dataDir.secret('enrolment-token'),
    STATE_DIR: path.join(dataDir.path, agentFolder(settings.databaseUrl)),
    HYPERVISOR: settings.hypervisor,
    ...(settings.demo && !process.env['ALLOWED_NETWORKS'] ? { ALLOWED_NETWORKS: '127.0.0.0/8,::1' } : {}),
    SIMULATED_SEED_FILE: seedFile(dataDir),
  }
}

/** A host belongs to one database: with another one the agent must enrol anew. */
function agentFolder(databaseUrl: string | undefined): string {
  return databaseUrl ? `agent-${createHash('sha256').update(databaseUrl).digest('hex').slice(0, 8)}` : 'agent'
}

/** The API's demo data names here the servers that must already exist on the simulated host. */
function seedFile(dataDir: DataDir): string {
  return path.join(dataDir.path, 'simulated-servers.json')
}

async function waitUntilReady(url: string, child: Child, running: Running, page = '/readyz'): Promise<void> {
  let died: string | undefined
  void child.firstExit.then((reason) => (died = reason))
  const deadline = Date.now() + readySeconds * 1000
  while (Date.now() < deadline) {
    if (running.stopping) throw new Refusal('Stopped.')
    if (died) throw new Refusal(lastLogLine(running.logDir, child.name) ?? `${child.name} ended (${died}).`)
    if (await isReady(url + page)) return child.keep()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Refusal(`${child.name} was not ready after ${readySeconds} s; see ${running.logDir}.`)
}

/** Something can be bought once the host has reported itself. Not a fault when it takes longer: the shop is open. */
async function waitForHost(apiUrl: string, running: Running): Promise<void> {
  const deadline = Date.now() + hostSeconds * 1000
  while (Date.now() < deadline && !running.stopping) {
    const offers = await fetch(`${apiUrl}/api/price-groups/active`, { signal: AbortSignal.timeout(2_000) }).then(
      (reply) => reply.text(),
      () => '',
    )
    if (offers.includes('"available":true')) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(2_000), redirect: 'manual' })).ok
  } catch {
    return false
  }
}

function programOf(name: 'api' | 'demo' | 'agent', file: string): string[] {
  const home = path.join(root, 'packages', name)
  // In development the sources themselves run, and again whenever one changes.
  if (development)
    return [
      process.execPath,
      '--watch',
      '--watch-preserve-output',
      '--conditions=@vps/source',
      '--import',
      'tsx',
      path.join(home, 'src', `${file}.ts`),
    ]
  return [process.execPath, path.join(home, 'dist', `${file}.js`)]
}

/** What has been started so far, and the one way to end it. */
class Running {
  stopping = false
  database: Postgres | undefined
  readonly logDir: string
  private readonly children: Child[] = []

  constructor(private readonly dataDir: DataDir) {
    this.logDir = path.join(dataDir.path, 'logs')
  }

  start(name: string, command: readonly string[], env: NodeJS.ProcessEnv, cwd = root): Child {
    const onChange = () => this.dataDir.noteChildren(this.children.flatMap((child) => child.mark() ?? []))
    const child = keepRunning({ name, command, cwd, env, logDir: this.logDir, onChange, say })
    this.children.push(child)
    onChange()
    return child
  }

  /** The agent first, so that nothing is handed out that nobody would finish; the database last. */
  async stop(): Promise<void> {
    this.stopping = true
    for (const child of this.children.toReversed()) await child.stop(15_000)
    try {
      await this.database?.stop()
    } finally {
      this.dataDir.release()
    }
  }

  stopOnSignal(): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (this.stopping) return
        say('stopping')
        this.stop().then(resolve, reject)
      }
      process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
      stopWithoutParent(stop)
    })
  }
}

/** An npm that was killed for good could not pass the signal on. */
function stopWithoutParent(stop: () => void): void {
  if (!process.env['npm_lifecycle_event']) return
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 1_000).unref()
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
        ]
      : []),
    ...(settings.ownGateway ? [['Payments', `${gateway} (sandbox: no real money)`]] : []),
    ['API reference', `${url}/docs`],
    ['Logs', path.join(settings.dataDir, 'logs')],
  ]
  console.log(`\n${lines.map(([name = '', value]) => `  ${name.padEnd(14)} ${value}`).join('\n')}\n`)
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
