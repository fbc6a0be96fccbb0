import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const here = import.meta.dirname
/** The repository, from sources and from the starter's bundle alike. */
export const root = here.slice(0, here.search(/\/(scripts|packages\/demo\/dist\/bundle)$/))

export type Outcome = { ok: boolean; output: string; seconds: number }

type Options = { timeoutMinutes?: number; env?: NodeJS.ProcessEnv; onOutput?: (text: string) => void }

/** A tool that hangs is killed with its children. */
export async function runCommand(command: readonly string[], options: Options = {}): Promise<Outcome> {
  const started = performance.now()
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const collect = (text: string) => {
    output += text
    options.onOutput?.(text)
  }
  for (const said of [child.stdout, child.stderr]) said.setEncoding('utf8').on('data', collect)
  const release = forwardSignals(child.pid)
  const limit = options.timeoutMinutes ?? 10
  const timer = setTimeout(() => {
    collect(`\nstopped after ${limit} minutes\n`)
    killGroup(child.pid, 'SIGKILL')
  }, limit * 60_000)
  const code = await once(child, 'close').then(
    () => child.exitCode,
    (error: Error) => collect(`${error.message}\n`),
  )
  clearTimeout(timer)
  release()
  return { ok: code === 0, output, seconds: (performance.now() - started) / 1000 }
}

/** The installed one, so that nothing is fetched. */
export function tool(name: string): string {
  return path.join(root, 'node_modules', '.bin', name)
}

export function script(file: string, ...args: string[]): string[] {
  return [process.execPath, '--import', 'tsx', '--conditions=@vps/source', file, ...args]
}

/** A signal ends them all before us. */
const running = new Set<number>()

function forward(signal: NodeJS.Signals): void {
  for (const pid of running) killGroup(pid, signal)
  process.exit(130)
}

function forwardSignals(pid: number | undefined): () => void {
  if (running.size === 0) process.on('SIGINT', forward).on('SIGTERM', forward)
  if (pid) running.add(pid)
  return () => {
    if (pid) running.delete(pid)
    if (running.size === 0) process.off('SIGINT', forward).off('SIGTERM', forward)
  }
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (!pid) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Ended meanwhile.
  }
}
