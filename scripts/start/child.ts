import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { endGroups, markProcess, type ProcessMark } from './processes.js'

export type Child = {
  name: string
  /** The living process, if there is one at the moment. */
  mark(): ProcessMark | undefined
  /** Resolves when the process ends for the first time; never when it is stopped by us. */
  firstExit: Promise<string>
  /** From now on it is started again when it ends. Not before it was ready once: a wrong setting stays wrong. */
  keep(): void
  stop(graceMs: number): Promise<void>
}

type Options = {
  name: string
  command: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  logDir: string
  onChange(): void
  say(text: string): void
}

const longestPauseMs = 30_000
const calmMs = 5_000
const logLimitBytes = 20 * 1024 * 1024

/**
 * Keeps one program running in a process group of its own, so that the terminal's Ctrl-C does not hit it: we stop it in
 * our order. What it prints goes to its log. When it dies it is started again, at first soon, then ever more slowly.
 */
export function keepRunning(options: Options): Child {
  const { name } = options
  const log = openLog(path.join(options.logDir, `${name}.log`))
  let child: ChildProcess | undefined
  let mark: ProcessMark | undefined
  let stopping = false
  let kept = false
  let failures = 0
  let retry: NodeJS.Timeout | undefined
  let reportExit: (reason: string) => void = () => {}
  const firstExit = new Promise<string>((resolve) => (reportExit = resolve))

  const start = () => {
    const [file = '', ...args] = options.command
    const bornAt = Date.now()
    child = spawn(file, args, { cwd: options.cwd, env: options.env, detached: true, stdio: ['ignore', log, log] })
    mark = child.pid ? markProcess(child.pid) : undefined
    options.onChange()
    let ended = false
    const end = (reason: string) => {
      if (ended) return
      ended = true
      mark = undefined
      options.onChange()
      if (stopping) return
      reportExit(reason)
      if (!kept) return
      failures = Date.now() - bornAt > calmMs ? 0 : failures + 1
      const pauseMs = Math.min(250 * 2 ** failures, longestPauseMs)
      options.say(
        `${name} ended (${reason}); starting it again in ${pauseMs / 1000} s, see ${path.join(options.logDir, `${name}.log`)}`,
      )
      retry = setTimeout(start, pauseMs)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`))
  }
  start()

  return {
    name,
    mark: () => mark,
    firstExit,
    keep: () => {
      kept = true
    },
    async stop(graceMs) {
      stopping = true
      clearTimeout(retry)
      if (mark) await endGroups([mark], graceMs)
      fs.closeSync(log)
    },
  }
}

/** The last sentence of a log, for a start that failed: our programs end with one. */
export function lastLogLine(logDir: string, name: string): string | undefined {
  const file = path.join(logDir, `${name}.log`)
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const line = lines.at(-1) || undefined
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
