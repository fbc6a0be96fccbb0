import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import { waitFor } from './customer.js'
import { freePort } from './free-port.js'
import { oneFile } from './one-file.js'
import { root } from '../../scripts/run-command.js'

export type ApiProcess = {
  url: string
  port: number
  pid: number
  ended: Promise<number | null>
  isGone(): boolean
  output(): string
}

/** As in production, bundled from the sources of now; ready when this resolves. */
export async function startApi(env: Record<string, string>, port?: number): Promise<ApiProcess> {
  const api = await launchApi(env, port ?? (await freePort()))
  await apiReady(api)
  return api
}

/** Once for each test file. */
let program: ReturnType<typeof oneFile> | undefined
afterAll(async () => (await program)?.remove())

export async function launchApi(env: Record<string, string>, port: number): Promise<ApiProcess> {
  const child = spawn(process.execPath, [(await (program ??= oneFile('api', 'main'))).file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn', PORT: String(port), ...env },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  let gone = false
  void ended.then(() => (gone = true))
  return { url, port, pid: child.pid ?? 0, ended, isGone: () => gone, output: () => output }
}

export async function apiReady({ url, isGone, output }: ApiProcess): Promise<void> {
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true
  await waitFor(async () => isGone() || (await isReady()), 'the API to be ready')
  if (isGone()) throw new Error(`the API ended: ${output()}`)
}

export async function endApi(api: ApiProcess): Promise<number | null> {
  if (!api.isGone()) process.kill(api.pid, 'SIGTERM')
  return api.ended
}
