import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { execa, type Options, type Result } from 'execa'
import { following } from '../../wait.js'
import { type Copying, HypervisorError } from '../hypervisor.js'
import { mostOutput, programEnv } from './run.js'

export type Program = { program: string; args: readonly string[]; env?: Record<string, string> }

/** Restic lets a slow repository wait; a silence this long is one that is away. */
const stallMs = 600_000
const wholeMs = 24 * 3_600_000
const lookMs = 2000
/** The disk's machine, and others, write meanwhile. */
const spareBytes = 1024 ** 3

/**
 * What one program prints is read by another, through us: so the bytes are counted, and the second learns that this was
 * all only once the first has ended well. Nothing of either is left when this has failed. `file` lies where room is
 * needed. Gives what the second printed.
 */
export async function piped(
  from: Program,
  to: Program,
  copying: Copying & { totalBytes: number; file: string },
): Promise<string> {
  const failed = new AbortController()
  return following([copying.signal, failed.signal, AbortSignal.timeout(wholeMs)], async (signal) => {
    signal.throwIfAborted()
    const reading = execa(from.program, from.args, { ...optionsOf(from), stdin: 'ignore', buffer: { stdout: false } })
    const writing = execa(to.program, to.args, { ...optionsOf(to), stdin: 'pipe' })
    signal.addEventListener('abort', () => [reading, writing].forEach(killAll))
    const stalled = setTimeout(() => failed.abort(new HypervisorError('no byte has moved for ten minutes')), stallMs)
    try {
      const counted = (chunks: AsyncIterable<Buffer>) => count(chunks, copying, () => stalled.refresh())
      // One that ended early is told by its own words below.
      await pipeline(reading.stdout, counted, writing.stdin, { end: false, signal }).catch((error: unknown) => {
        failed.abort(error)
      })
      const read = await reading
      if (read.failed) failed.abort(new HypervisorError(wordsOf(from, read)))
      else writing.stdin.end()
      const written = await writing
      copying.signal.throwIfAborted()
      if (written.failed && written.signal !== 'SIGKILL') throw new HypervisorError(wordsOf(to, written))
      if (read.failed && read.signal !== 'SIGKILL') throw new HypervisorError(wordsOf(from, read))
      signal.throwIfAborted()
      return written.stdout
    } finally {
      clearTimeout(stalled)
    }
  })
}

/** With what it has started: a qemu-nbd that nobody has asked yet would wait for ever. */
function killAll({ pid }: { pid?: number | undefined }): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Gone by itself.
  }
}

async function* count(
  chunks: AsyncIterable<Buffer>,
  { totalBytes, file, tell }: Copying & { totalBytes: number; file: string },
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
    const { bavail, bsize } = await statfs(dirname(file))
    if (bavail * bsize < spareBytes) throw new HypervisorError(`the storage of ${dirname(file)} is full`)
    await tell(Math.min(1, bytes / totalBytes))
  }
}

function optionsOf({ env }: Program) {
  return {
    ...programEnv,
    env: { ...env, ...programEnv.env },
    // The first of a group of its own.
    detached: true,
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
