import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.js'

export type Product = {
  url: string
  gatewayUrl: string
  dataDir: string
  printed(): string
  pid: number
  /** As Ctrl-C does; gives the exit code. */
  stop(): Promise<number | null>
  /** As a power cut: nothing cleans up. */
  kill(): Promise<void>
  ended: Promise<number | null>
}

type Options = { dataDir?: string; env?: Record<string, string | undefined>; port?: number }

export const wholeDemo = { DEMO_CUSTOMERS: undefined }

const root = path.resolve(import.meta.dirname, '../..')
const readySeconds = 180

/** `npm start` on free ports, in its own folder. Rejects with its output when it ends early. */
export async function startProduct(options: Options = {}): Promise<Product> {
  const product = await launchProduct(options)
  const deadline = Date.now() + readySeconds * 1000
  let ended = false
  void product.ended.then(() => (ended = true))
  while (!/^ready/m.test(product.printed())) {
    if (ended || Date.now() > deadline) {
      await product.kill()
      throw new Error(`npm start was not ready:\n${product.printed()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  product.gatewayUrl = /http:\S+(?= \(sandbox)/.exec(product.printed())?.[0] ?? ''
  return product
}

/** For starts to be refused. */
export async function launchProduct({ dataDir = makeDataDir(), env = {}, port }: Options = {}): Promise<Product> {
  const chosen = port ?? (await freePort(1)) // the next one for the sandbox gateway
  const child = spawn(process.execPath, ['packages/demo/dist/bundle/start.js'], {
    cwd: root,
    env: {
      ...withoutOurs(process.env),
      HOST: '127.0.0.1',
      PORT: String(chosen),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      // One host is enough, and what a test makes stands first in every list.
      DEMO_CUSTOMERS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()))
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    url: `http://127.0.0.1:${chosen}`,
    gatewayUrl: '',
    dataDir,
    printed: () => printed,
    pid: child.pid ?? 0,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Short enough for a socket's path, open to the database's user. */
export function makeDataDir(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vps-product-'))
  fs.chmodSync(dir, 0o711)
  return dir
}

/** Found by the folder in environment or arguments. */
export function processesOf(dataDir: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => ['cmdline', 'environ'].some((file) => readQuietly(`/proc/${pid}/${file}`).includes(dataDir)))
    .map(Number)
}

/** The process may have ended. */
export function readQuietly(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign =
    /^(DATABASE_|PUBLIC_URL|APP_SECRET|EPAY_|SMTP_URL|DEMO|HYPERVISOR|NODE_ENV|CONSOLE_ACCESS|VITEST|TEST_)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)))
}
