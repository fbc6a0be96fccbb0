import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { WantedImage } from '@vps/shared/agent.contract'
import type { Network } from '@vps/shared/networks'
import type { Response } from 'undici'
import * as z from 'zod'
import { isFull, readIfThere, writeDurably } from '../files.js'
import { following } from '../wait.js'
import type { ImageFolder } from './folder.js'
import { request } from './request.js'
import { inSentences, TransferFailed } from './transfer-failed.js'

export type FetchLimits = {
  /** Broken off without a byte for so long. */
  stallMs: number
  /** Others wait; the next try goes on from here. */
  wholeMs: number
  spareBytes: number
  /** Others write, too. */
  lookMs: number
  allowed: readonly Network[]
}

export type FetchProgress = { status: 'running' | 'checking'; bytes: number; totalBytes: number | null }

type Fetch = {
  image: WantedImage
  folder: ImageFolder
  limits: FetchLimits
  signal: AbortSignal
  onProgress: (progress: FetchProgress) => void
}

/**
 * Into `{file}.part`; only a whole file with the right checksum gets its name, so a kill leaves the old or the new.
 * Continues an unchanged source (If-Range). Throws TransferFailed.
 */
export async function fetchImage(fetch: Fetch): Promise<void> {
  const { image, folder, signal, onProgress } = fetch
  await inSentences(async () => {
    await folder.make()
    const begun = await readBegun(image, folder)
    const whole = begun.bytes > 0 && begun.bytes === begun.totalBytes
    const bytes = whole
      ? begun.bytes
      : await inTime(fetch, (stop, alive) => download(fetch, begun, stop, alive)).catch(async (error: unknown) => {
          // Machines need the room now.
          if (error instanceof NoSpace || isFull(error)) await folder.removePart(image.file)
          throw error
        })
    onProgress({ status: 'checking', bytes, totalBytes: bytes })
    await refuseOther(image, folder, signal)
    await rename(folder.partOf(image.file), folder.pathOf(image.file))
    await folder.sync()
    await folder.removePart(image.file)
  })
}

const partNote = z.object({
  sha256: z.string(),
  /** Null: the source says nothing; not continued. */
  validator: z.string().nullable(),
  totalBytes: z.number().nullable(),
})
type Begun = { bytes: number; totalBytes: number | null; validator: string | null }
const nothing: Begun = { bytes: 0, totalBytes: null, validator: null }

async function readBegun({ file, sha256 }: WantedImage, folder: ImageFolder): Promise<Begun> {
  const note = partNote.safeParse(parseJson(await readIfThere(folder.noteOf(file))))
  if (!note.success || note.data.sha256 !== sha256) return nothing
  return { ...note.data, bytes: await folder.partBytes(file) }
}

/** An unreadable note costs only a new beginning. */
function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

async function download(fetch: Fetch, begun: Begun, signal: AbortSignal, alive: () => void): Promise<number> {
  const { image, folder, limits, onProgress } = fetch
  const resumed = begun.bytes > 0 && begun.validator !== null
  onProgress({ status: 'running', bytes: resumed ? begun.bytes : 0, totalBytes: begun.totalBytes })
  const headers = resumed ? { range: `bytes=${begun.bytes}-`, 'if-range': begun.validator ?? '' } : {}
  const response = await request(image.url, headers, limits.allowed, signal)
  const refusal = refusalOf(response, begun.bytes)
  if (refusal !== null) {
    await response.body?.cancel()
    // Another length than when begun: from the beginning next time.
    if (response.status === 416) await folder.removePart(image.file)
    throw new TransferFailed(refusal)
  }

  const from = response.status === 206 ? begun.bytes : 0
  const length = response.headers.get('content-length')
  const totalBytes = length === null ? null : from + Number(length)
  if (from === 0) {
    await folder.removePart(image.file)
    const note: z.infer<typeof partNote> = { sha256: image.sha256, validator: validatorOf(response), totalBytes }
    await writeDurably(folder.noteOf(image.file), JSON.stringify(note))
  }
  const mostBytes = from + Math.max(0, (await folder.freeBytes()) - limits.spareBytes)
  if (totalBytes !== null && totalBytes > mostBytes) {
    await response.body?.cancel()
    throw noSpace(totalBytes - from, mostBytes - from)
  }

  let bytes = from
  let lookAtMs = performance.now() + limits.lookMs
  await pipeline(
    Readable.from(response.body ?? []),
    async function* measured(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        alive()
        bytes += chunk.length
        if (bytes > mostBytes) throw noSpace(bytes - from, mostBytes - from)
        if (performance.now() >= lookAtMs) {
          const freeBytes = await folder.freeBytes()
          if (freeBytes < limits.spareBytes) throw noSpace(Math.max(0, (totalBytes ?? bytes) - bytes), 0)
          lookAtMs = performance.now() + limits.lookMs
        }
        yield chunk
        onProgress({ status: 'running', bytes, totalBytes })
      }
    },
    // Flushed: what gets its name is on the disk.
    createWriteStream(folder.partOf(image.file), {
      flags: from > 0 ? 'r+' : 'w',
      start: from,
      mode: 0o644,
      flush: true,
    }),
    { signal },
  )
  return bytes
}

function refusalOf({ status, headers, body }: Response, begunBytes: number): string | null {
  if (status === 416) return '下载源拒绝续传，将从头下载'
  if ((status !== 200 && status !== 206) || body === null) return `下载地址返回状态 ${status}`
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity') return '下载源压缩了内容，无法核对'
  const range = headers.get('content-range') ?? ''
  if (status === 206 && !range.startsWith(`bytes ${begunBytes}-`)) return '下载源返回了另一段内容'
  return null
}

/** A strong ETag, else the date. */
function validatorOf({ headers }: Response): string | null {
  const etag = headers.get('etag')
  return etag !== null && !etag.startsWith('W/') ? etag : headers.get('last-modified')
}

async function refuseOther(image: WantedImage, folder: ImageFolder, signal: AbortSignal): Promise<void> {
  const sha256 = await folder.hashOf(folder.partOf(image.file), signal)
  if (sha256 === image.sha256) return
  await folder.removePart(image.file)
  throw new TransferFailed(`校验和不一致：应为 ${image.sha256.slice(0, 12)}…，实际为 ${sha256.slice(0, 12)}…`)
}

class NoSpace extends TransferFailed {}

function noSpace(neededBytes: number, freeBytes: number): NoSpace {
  const gb = (bytes: number) => (bytes / 1024 ** 3).toFixed(1)
  return new NoSpace(`磁盘空间不足：还需 ${gb(neededBytes)} GB，可用 ${gb(freeBytes)} GB`)
}

async function inTime<T>(
  { limits, signal }: Fetch,
  act: (stop: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const after = (ms: number, sentence: string) => setTimeout(() => late.abort(new TransferFailed(sentence)), ms)
  const stall = after(limits.stallMs, `${limits.stallMs / 1000} 秒内没有收到数据`)
  const whole = after(limits.wholeMs, `${limits.wholeMs / 3_600_000} 小时内没有下载完，稍后继续`)
  try {
    return await following([signal, late.signal], (stop) => act(stop, () => void stall.refresh()))
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    clearTimeout(stall)
    clearTimeout(whole)
  }
}
