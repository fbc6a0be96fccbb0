import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as text from '@vps/shared/text'
import { execa, type Options, type Result } from 'execa'
import { following, pause } from '../../wait.js'
import { type Copying, HypervisorError } from '../hypervisor.js'
import { freeBytes } from './room.js'
import { mostOutput, programEnv } from './run.js'

export type Program = { program: string; args: readonly string[]; env?: Record<string, string> }

/** Restic lets a slow repository wait; one silent so long is away. */
const stallMs = 600_000
/** What restic takes in and has not sent yet: with five packs on their way 66 MiB were measured. */
const inFlightKib = 160 * 1024

/** Where not more than so much is sent a second, restic takes in nothing for as long as it sends that; 0: no limit. */
export const patienceMs = (limitKib: number): number =>
  limitKib === 0 ? stallMs : stallMs + (inFlightKib / limitKib) * 1000
const wholeMs = 24 * 3_600_000
const lookMs = 2000
const spareBytes = 1024 ** 3

/** `file` lies where room is needed; `totalBytes` is to move; `stallMs`: broken off where none has moved so long. */
export type Moving = Copying & { totalBytes: number; file: string; stallMs?: number }

export type Source = (signal: AbortSignal) => AsyncIterable<Buffer>
export type Sink = (chunks: AsyncIterable<Buffer>, signal: AbortSignal) => Promise<void>

/**
 * A program reads what comes, and learns that it is all once the source ended well. Leaves nothing after a failure.
 * Gives its last line: restic tells how it gets on many times a second, for hours.
 */
export const feed = (source: Source, to: Program, moving: Moving): Promise<string> =>
  watched(moving, async (signal, counted, fail) => {
    const program = execa(to.program, to.args, { ...optionsOf(to), stdin: 'pipe', buffer: { stdout: false } })
    const said = lastOf(program.iterable())
    // Waited for below.
    said.catch(() => {})
    signal.addEventListener('abort', () => program.kill('SIGKILL'))
    const unread = await pipeline(source(signal), counted, program.stdin, { end: false, signal }).then(
      () => {
        program.stdin.end()
        return null
      },
      async (error: unknown) => {
        // Who reads no more ends: that says why.
        if (isUnread(error) && (await Promise.race([program, pause(wordsMs, signal)]))) return error
        fail(error)
        return null
      },
    )
    const [last, result] = await Promise.all([said, program])
    moving.signal.throwIfAborted()
    if (hasFailed(result, signal)) throw new HypervisorError(wordsOf(to, result))
    signal.throwIfAborted()
    if (unread !== null) throw unread
    return last
  })

const wordsMs = 1000
const isUnread = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

async function lastOf(lines: AsyncIterable<string>): Promise<string> {
  let last = ''
  for await (const line of lines) last = line
  return last
}

/** A program's output of `totalBytes` goes to the sink; it is known to be all once this ended well. */
export const drain = (from: Program, sink: Sink, moving: Moving): Promise<void> =>
  watched(moving, async (signal, counted, fail) => {
    const program = execa(from.program, from.args, { ...optionsOf(from), stdin: 'ignore', buffer: { stdout: false } })
    // Else execa lets what nobody reads yet run away: a sink may take its time to begin.
    program.stdout.pause()
    signal.addEventListener('abort', () => program.kill('SIGKILL'))
    let bytes = 0
    async function* came(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length
        yield chunk
      }
    }
    await sink(counted(came(program.stdout)), signal).catch(fail)
    const result = await program
    moving.signal.throwIfAborted()
    if (hasFailed(result, signal)) throw new HypervisorError(wordsOf(from, result))
    signal.throwIfAborted()
    if (bytes !== moving.totalBytes) throw new HypervisorError(`${bytes} bytes came instead of ${moving.totalBytes}`)
  })

/** By itself: whom we ended, or heard no more, has a reason. Others end programs, too, where memory is short. */
const hasFailed = ({ failed, signal: by, code }: Pick<Result, 'failed' | 'signal' | 'code'>, ours: AbortSignal) =>
  failed && !(ours.aborted && (by === 'SIGKILL' || code === 'ABORT_ERR'))

type Counted = (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
type Act<T> = (signal: AbortSignal, counted: Counted, fail: (error: unknown) => void) => Promise<T>

/** The bytes go through us: counted, ended where none moves or they would fill the storage. */
async function watched<T>(moving: Moving, act: Act<T>): Promise<T> {
  const failed = new AbortController()
  const fail = (error: unknown) => failed.abort(error)
  return following([moving.signal, failed.signal, AbortSignal.timeout(wholeMs)], async (signal) => {
    signal.throwIfAborted()
    const { stallMs: limitMs = stallMs } = moving
    const words = `no byte has moved for ${Math.round(limitMs / 60_000)} minutes`
    const stalled = setTimeout(() => fail(new HypervisorError(words)), limitMs)
    try {
      return await act(signal, (chunks) => count(chunks, moving, () => stalled.refresh()), fail)
    } finally {
      clearTimeout(stalled)
    }
  })
}

async function* count(
  chunks: AsyncIterable<Buffer>,
  { totalBytes, file, tell }: Moving,
  moved: () => void,
): AsyncGenerator<Buffer> {
  let bytes = 0
  let lookAtMs = performance.now() + lookMs
  for await (const chunk of chunks) {
    yield chunk
    bytes += chunk.length
    if (performance.now() < lookAtMs) continue
    lookAtMs = performance.now() + lookMs
    moved()
    if ((await freeBytes(file)) < spareBytes)
      throw new HypervisorError(`the storage of ${dirname(file)} is full`, { customer: text.storageFull })
    await tell(Math.min(1, bytes / totalBytes))
  }
}

function optionsOf({ env }: Program) {
  return {
    ...programEnv,
    env: { ...env, ...programEnv.env },
    maxBuffer: mostOutput,
    reject: false,
  } as const satisfies Options
}

function wordsOf(
  { program, args }: Program,
  { stderr, shortMessage }: Pick<Result, 'shortMessage'> & { stderr?: unknown },
) {
  const said = typeof stderr === 'string' && stderr.trim() !== '' ? stderr.trim() : (shortMessage ?? 'failed')
  return `${program} ${args.join(' ')}: ${said.slice(0, 2000)}`
}
