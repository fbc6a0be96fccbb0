import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { BackupRepository } from '@vps/shared/agent.contract'
import { freePort } from '../../../../tests/setup/free-port.js'

/**
 * Debian's servers for repositories, behind TLS: OpenStack Swift, whose S3 door verifies signatures, and rclone as a
 * REST server. Their certificate is in the environment, as restic needs.
 */

const python = '/usr/bin/python3'
const swift = '/usr/lib/python3/dist-packages/swift/common/middleware/s3api'

/** Why they cannot run here, or null. */
export const lacksObjectStores =
  ['restic', 'rclone', 'openssl'].some((program) => spawnSync(program, ['version']).error) || !existsSync(swift)
    ? 'object stores are not installed (apt-get install restic rclone python3-swift openssl)'
    : null

export type ObjectStore = {
  at: BackupRepository
  strangers: BackupRepository[]
  reader: BackupRepository
  stop(): Promise<void>
}

const repository = { password: 'Of-The-Repository-1', environment: {}, uploadLimitKib: 0 }

/** In memory, gone with the process. */
export async function startSwift(): Promise<ObjectStore> {
  const { folder, key, certificate } = makeFolder()
  mkdirSync(path.join(folder, 'disks', 'one'), { recursive: true })
  const program = path.join(import.meta.dirname, 'swift-server.py')
  const errors = path.join(folder, 'errors')
  const stdio: StdioOptions = ['ignore', 'pipe', openSync(errors, 'w')]
  const child = spawn(python, [program, folder, certificate, key], { stdio })
  const port = await saidBy(child, child.stdout!, /^(\d+)$/).catch(() => {
    throw new Error(readFileSync(errors, 'utf8'))
  })
  const as = (AWS_ACCESS_KEY_ID: string, AWS_SECRET_ACCESS_KEY: string): BackupRepository => ({
    ...repository,
    url: `s3:https://127.0.0.1:${port}/bucket/vps`,
    environment: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, SSL_CERT_FILE: certificate },
  })
  return {
    at: as('shop:backups', 'Right-Key-1'),
    strangers: [as('shop:backups', 'Wrong-Key-1'), as('shop:nobody', 'Right-Key-1')],
    reader: as('shop:stranger', 'Strangers-Key-1'),
    stop: () => end(child, folder),
  }
}

/** In a folder; can go away and come back. */
export async function startRestServer() {
  const { folder, key, certificate } = makeFolder()
  const kept = path.join(folder, 'kept')
  mkdirSync(kept)
  const [username, word] = ['back@ups', 'p@ss/w:rd 1%']
  const serve = async (port: string, ...more: string[]) => {
    const tls = ['--cert', certificate, '--key', key]
    const login = ['--user', username, '--pass', word]
    const args = ['serve', 'restic', '--addr', `127.0.0.1:${port}`, ...tls, ...login, ...more, kept]
    const child = spawn('rclone', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    return { child, port: await saidBy(child, child.stderr, /Serving restic REST API on \S+:(\d+)/) }
  }
  let { child, port } = await serve(String(await freePort()))
  const appending = await serve('0', '--append-only')
  const as = (name: string, password: string, at = port): BackupRepository => ({
    ...repository,
    url: `rest:https://${encodeURIComponent(name)}:${encodeURIComponent(password)}@127.0.0.1:${at}/vps`,
    environment: { SSL_CERT_FILE: certificate },
  })
  return {
    at: as(username, word),
    strangers: [as(username, 'wrong'), as('nobody', word)],
    reader: as(username, word, appending.port),
    kept,
    async leave() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    async comeBack() {
      ;({ child, port } = await serve(port))
    },
    async stop() {
      await end(appending.child)
      await end(child, folder)
    },
  } satisfies ObjectStore & Record<string, unknown>
}

function makeFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vps-object-store-'))
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', ...name, '-keyout', key]
  const { status, stderr } = spawnSync('openssl', [...made, '-out', certificate], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return { folder, key, certificate }
}

async function saidBy(child: ChildProcess, from: NodeJS.ReadableStream, sign: RegExp): Promise<string> {
  const ended = once(child, 'close').then(() => Promise.reject(new Error(`${child.spawnfile} has ended`)))
  const lines = createInterface({ input: from })
  const said = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const found = sign.exec(line)?.[1]
      if (found) resolve(found)
    })
  })
  return Promise.race([said, ended])
}

async function end(child: ChildProcess, folder?: string): Promise<void> {
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
  child.kill('SIGKILL')
  await gone
  if (folder) rmSync(folder, { recursive: true, force: true })
}
