/**
 * npm's PostgreSQL, for `npm start` and tests, never production.
 *
 * On a Unix socket only; detached, so that Ctrl-C reaches the API first and the database last. A server that outlived
 * its starter is adopted; a dead one is recovered, also while its starter runs.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { prepareCluster, type Cluster } from './postgres-place.js'

export type Postgres = {
  /** As the superuser, who owns the tables. */
  url: string
  /** As the application's role, which owns nothing. */
  applicationUrl: string
  logFile: string
  stop(): Promise<void>
}

type Options = {
  /** Made where missing. */
  dir: string
  log?: (line: string) => void
  /** For tests: no fsync, and `stop` deletes everything. */
  throwAway?: boolean
  /** Started again where it dies, until `stop`. */
  kept?: boolean
}

const startSeconds = 60
const superuser = 'app'
const applicationRole = 'portal'

/** Makes the cluster where there is none, adopts a running one. */
export async function startPostgres({
  dir,
  log = () => {},
  throwAway = false,
  kept = false,
}: Options): Promise<Postgres> {
  const cluster = prepareCluster(path.resolve(dir))
  if (!fs.existsSync(path.join(cluster.data, 'PG_VERSION'))) {
    log('making the database cluster')
    await initialise(cluster, throwAway)
  }
  refuseOtherMajor(cluster)
  if (!(await isAlive(cluster))) {
    await untilOver(cluster)
    clearRemains(cluster)
    await launch(cluster, throwAway)
  }
  await makeApplicationRole(cluster)
  const stopKeeping = kept ? keep(cluster, log) : null
  return {
    url: socketUrl(cluster, superuser),
    applicationUrl: socketUrl(cluster, applicationRole),
    logFile: cluster.logFile,
    stop: async () => {
      await stopKeeping?.()
      await halt(cluster, throwAway ? 'immediate' : 'fast')
      if (throwAway)
        for (const folder of [dir, path.dirname(cluster.data), cluster.socket])
          fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function initialise(cluster: Cluster, throwAway: boolean): Promise<void> {
  // What an interrupted initdb left.
  fs.rmSync(cluster.data, { recursive: true, force: true })
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=zh-Hans-CN']
  const access = ['-U', superuser, '--auth-local=trust', '--auth-host=scram-sha-256']
  const quick = throwAway ? ['--no-sync'] : []
  const args = ['-D', cluster.data, ...access, ...locale, '--no-instructions', ...quick]
  await run('initdb', args, cluster, 'the database cluster could not be made')
}

function refuseOtherMajor(cluster: Cluster): void {
  const major = fs.readFileSync(path.join(cluster.data, 'PG_VERSION'), 'utf8').trim()
  const ours = fs.readFileSync(path.join(cluster.bin, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 40)
  if (!ours.startsWith(`# PostgreSQL ${major}\n`)) {
    throw new Error(
      `the database in ${cluster.data} was made by PostgreSQL ${major}, this release brings another; dump and restore it, or choose another DATA_DIR`,
    )
  }
}

const watchMs = 1_000
const longestPauseMs = 30_000

/** Looks, and starts it, ever more seldom where that fails; gives what ends that. */
function keep(cluster: Cluster, log: (line: string) => void) {
  const ending = new AbortController()
  const { signal } = ending
  const again = () => launch(cluster, false).then(() => 'the database runs again')
  const over = (async () => {
    for (let failures = 0; !signal.aborted;) {
      const pauseMs = Math.min(watchMs * 2 ** failures, longestPauseMs)
      await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => {})
      // A killed one's last processes may still write.
      if (signal.aborted || lives(cluster)) continue
      log('the database ended; starting it again')
      clearRemains(cluster)
      const said = await again().catch((error: Error) => error.message)
      failures = lives(cluster) ? 0 : failures + 1
      log(said)
    }
  })()
  return async () => {
    ending.abort()
    await over
  }
}

/** Any process of it. */
function lives({ data }: Cluster): boolean {
  return fs.readdirSync('/proc').some((name) => /^\d+$/.test(name) && runsIn(Number(name), data))
}

/** A killed one's last processes end by themselves; none is started beside them. */
async function untilOver(cluster: Cluster): Promise<void> {
  for (const deadline = Date.now() + startSeconds * 1000; lives(cluster); await setTimeout(50))
    if (Date.now() > deadline)
      throw new Error(`processes of the database in ${cluster.data} do not end; see ${cluster.logFile}`)
}

/** It runs and the socket accepts. */
async function isAlive(cluster: Cluster): Promise<boolean> {
  const deadline = Date.now() + startSeconds * 1000
  // While starting or recovering it refuses, but lives.
  while (Date.now() < deadline && postmasterRuns(cluster)) {
    if (await accepts(cluster)) return true
    await setTimeout(50)
  }
  if (postmasterRuns(cluster)) throw new Error(`the database does not answer; see ${cluster.logFile}`)
  return false
}

function postmasterRuns({ data }: Cluster): boolean {
  let written: string
  try {
    written = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8')
  } catch {
    return false
  }
  return runsIn(parseInt(written), data)
}

/** A postgres of it and no zombie: after a reboot the number may be another process's. */
function runsIn(pid: number, data: string): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, name, state] = /\((.*)\) (\S)/.exec(stat) ?? []
    return name === 'postgres' && state !== 'Z' && fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data)
  } catch {
    return false
  }
}

async function accepts(cluster: Cluster): Promise<boolean> {
  return ask(cluster, 'select 1', 2_000).then(
    () => true,
    () => false,
  )
}

async function makeApplicationRole(cluster: Cluster): Promise<void> {
  const patienceMs = startSeconds * 1000
  const there = await ask(cluster, `select from pg_roles where rolname = '${applicationRole}'`, patienceMs)
  if (there === 0) await ask(cluster, `create role ${applicationRole} login`, patienceMs)
}

/** As the superuser, on its own connection; gives the number of rows. */
async function ask(cluster: Cluster, query: string, connectionTimeoutMillis: number): Promise<number> {
  const client = new pg.Client({ connectionString: socketUrl(cluster, superuser), connectionTimeoutMillis })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(query)).rows.length
  } finally {
    await client.end()
  }
}

/** A zombie would block the restart for ever. */
function clearRemains(cluster: Cluster): void {
  for (const file of [
    `${cluster.data}/postmaster.pid`,
    `${cluster.socket}/.s.PGSQL.5432`,
    `${cluster.socket}/.s.PGSQL.5432.lock`,
  ])
    fs.rmSync(file, { force: true })
}

async function launch(cluster: Cluster, throwAway: boolean): Promise<void> {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${cluster.socket}`,
    'max_connections=100',
    'timezone=UTC',
  ]
  if (throwAway) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off')
  const options = settings.map((setting) => `-c '${setting}'`).join(' ')
  const args = ['start', '-w', '-t', String(startSeconds), '-D', cluster.data, '-l', cluster.logFile, '-o', options]
  await run('pg_ctl', args, cluster, `the database did not start; see ${cluster.logFile}`)
}

async function halt(cluster: Cluster, mode: 'fast' | 'immediate'): Promise<void> {
  const args = ['stop', '-w', '-t', '30', '-m', mode, '-D', cluster.data]
  // One that is killed, before or meanwhile, leaves nobody who could be asked.
  if (postmasterRuns(cluster))
    await run('pg_ctl', args, cluster, 'the database did not stop in time').catch((error: Error) => {
      if (postmasterRuns(cluster)) throw error
    })
  await untilOver(cluster)
}

/** Out of reach of Ctrl-C. */
async function run(name: string, args: string[], cluster: Cluster, failure: string): Promise<void> {
  const told = `${cluster.logFile}.tools`
  const output = fs.openSync(told, 'a', 0o600)
  const child = spawn(path.join(cluster.bin, 'bin', name), args, {
    ...cluster.identity,
    cwd: path.dirname(cluster.data),
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', output, output],
    detached: true,
    timeout: (startSeconds + 30) * 1000,
    killSignal: 'SIGKILL',
  })
  fs.closeSync(output)
  const end = await once(child, 'exit').then(
    () => child.exitCode ?? child.signalCode,
    (error: Error) => error.message,
  )
  if (end !== 0) throw new Error(`${failure} (${name}: ${end}, see ${told})`)
}

function socketUrl(cluster: Cluster, role: string): string {
  return `postgres://${role}@localhost/postgres?host=${encodeURIComponent(cluster.socket)}`
}
