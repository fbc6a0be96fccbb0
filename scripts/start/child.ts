import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type Program = {
  name: string
  command: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  logFile: string
}

export type Child = ReturnType<typeof keepRunning>

const longestPauseMs = 30_000
const calmMs = 5_000
const logLimitBytes = 20 * 1024 * 1024

/**
 * In its own process group, out of reach of Ctrl-C: we stop it in our order. Restarted ever more slowly, but only once
 * it was ready: a wrong setting stays wrong.
 */
export function keepRunning({ name, command, cwd, env, logFile }: Program, say: (text: string) => void) {
  const [file = '', ...args] = command
  const log = openLog(logFile)
  const stopping = new AbortController()
  let child: ChildProcess
  let kept = false
  let end: string | undefined

  const over = (async () => {
    let failures = 0
    for (;;) {
      const bornAt = Date.now()
      child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', log, log] })
      end = await once(child, 'exit').then(
        () => child.signalCode ?? `exit code ${child.exitCode}`,
        (error: Error) => error.message,
      )
      if (!kept || stopping.signal.aborted) return
      failures = Date.now() - bornAt > calmMs ? 0 : failures + 1
      const pauseMs = Math.min(250 * 2 ** failures, longestPauseMs)
      say(`${name} ended (${end}); starting it again in ${pauseMs / 1000} s, see ${logFile}`)
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    }
  })()

  return {
    name,
    logFile,
    /** Why it ended, when it is not kept. */
    end: () => end,
    keep: () => {
      kept = true
    },
    /** For good after `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort()
      signalGroup(child, 'SIGTERM')
      const late = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
      await over
      clearTimeout(late)
      fs.closeSync(log)
    },
  }
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid && exitCode === null && signalCode === null) process.kill(-pid, signal)
}

/** Our programs end with a sentence. */
export function lastLogLine(logFile: string): string | undefined {
  const line = fs.readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1) || undefined
  try {
    return line && (JSON.parse(line) as { msg?: string }).msg
  } catch {
    return line
  }
}

function openLog(file: string): number {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  if (fs.existsSync(file) && fs.statSync(file).size > logLimitBytes) fs.renameSync(file, `${file}.1`)
  return fs.openSync(file, 'a', 0o600)
}
