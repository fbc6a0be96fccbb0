import { execa, type Result } from 'execa'
import { refuseLate } from '../../deadline.js'
import { HypervisorError } from '../hypervisor.js'

/** The message holds the arguments: no secret is ever one. */
export class VirshError extends HypervisorError {
  constructor(
    program: string,
    args: readonly string[],
    readonly said: string,
    readonly timedOut: boolean,
    readonly exitCode: number | null,
  ) {
    super(`${program} ${args.join(' ')}: ${said}`)
  }
}

/**
 * What a host can do is asked once: what did not end in time, had no room or could not begin says nothing of it, and is
 * asked again.
 */
export function unlessVerdict(error: unknown): void {
  if (!(error instanceof VirshError) || error.timedOut || saysNothing.test(error.said)) throw error
}

/** In programs' fixed language, and as Node.js tells that none was begun or the kernel ended it. */
const saysNothing =
  /No space left on device|Disk quota exceeded|Read-only file system|Too many open files|spawn .*E(AGAIN|MFILE|NFILE|NOMEM)|killed with SIGKILL/

/** `env`: for what must not be an argument. `signal`: ends it; its reason is thrown. */
export type RunOptions = { timeoutMs?: number; input?: string; env?: Record<string, string>; signal?: AbortSignal }

export const mostOutput = 16 * 1024 * 1024

/** A fixed locale, nothing else of ours. */
export const programEnv = {
  extendEnv: false,
  env: {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C.UTF-8',
    // virsh keeps a history of its standard input, where passwords come: it gets no place for it.
    VIRSH_HISTSIZE: '0',
    XDG_CACHE_HOME: '/dev/null',
    HOME: '/nonexistent',
  },
} as const

/** Never through a shell; bounded in time and output, no standard input unless given. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  refuseLate()
  options.signal?.throwIfAborted()
  const result = await execa(program, args, {
    ...(options.signal ? { cancelSignal: options.signal } : {}),
    timeout: options.timeoutMs ?? 30_000,
    maxBuffer: mostOutput,
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    ...programEnv,
    env: { ...options.env, ...programEnv.env },
    reject: false,
    stripFinalNewline: true,
  })
  if (result.isCanceled) options.signal?.throwIfAborted()
  if (result.failed) {
    const said = saidBy(result)
    throw new VirshError(program, args, said.slice(0, 2000), result.timedOut, result.exitCode ?? null)
  }
  return result.stdout
}

/** As they come: of what prints without end. */
export async function* linesOf(program: string, args: readonly string[]): AsyncGenerator<string> {
  refuseLate()
  const running = execa(program, args, {
    ...programEnv,
    stdin: 'ignore',
    buffer: { stdout: false },
    timeout: linesMs,
    reject: false,
  })
  yield* running.iterable()
  const { failed, stderr, timedOut, exitCode } = await running
  if (failed) throw new VirshError(program, args, stderr.slice(0, 2000), timedOut, exitCode ?? null)
}
const linesMs = 600_000

function saidBy(result: Pick<Result, 'timedOut' | 'isMaxBuffer' | 'shortMessage'> & { stderr: string }): string {
  if (result.timedOut) return ['did not end in time', result.stderr.trim()].filter(Boolean).join(': ')
  if (result.isMaxBuffer) return 'printed without end'
  return (result.stderr || (result.shortMessage ?? 'failed')).trim()
}

/** Whether it succeeds; throws where that was not told. */
export async function works(program: string, args: readonly string[], options: RunOptions): Promise<boolean> {
  try {
    await run(program, args, options)
    return true
  } catch (error) {
    unlessVerdict(error)
    return false
  }
}

export type Virsh = (args: readonly string[], options?: RunOptions) => Promise<string>

/** A program for each command. */
export function virshOn(uri: string, timeoutMs = 30_000): Virsh {
  return (args, options) => run('virsh', ['-q', '-c', uri, ...args], { timeoutMs, ...options })
}
