import type { ImageTransfer, WantedImage } from '@vps/shared/agent.contract'
import { publicUrl } from '@vps/shared/images'
import type { Logger } from 'pino'
import { Backoff, following } from '../wait.js'
import { fetchImage, type FetchLimits, type FetchProgress } from './fetch-image.js'
import type { ImageFolder } from './folder.js'
import { TransferFailed } from './transfer-failed.js'

export type Transfer = {
  image: WantedImage
  status: ImageTransfer['status'] | 'ready'
  bytes: number
  totalBytes: number | null
  error: string | null
  backoff: Backoff
  dueAtMs: number
  gone: AbortController
}

export function newTransfer(image: WantedImage, limits: { firstPauseMs: number; lastPauseMs: number }): Transfer {
  return {
    image,
    status: 'waiting',
    bytes: 0,
    totalBytes: null,
    error: null,
    backoff: new Backoff(limits.firstPauseMs, limits.lastPauseMs),
    dueAtMs: 0,
    gone: new AbortController(),
  }
}

type BringDeps = {
  images: ImageFolder
  limits: FetchLimits
  log: Logger
  signal: AbortSignal
  tell: (pressing: boolean) => void
  onReady: () => void
}

/** `ready` afterwards, or `failed` and due again. */
export async function bring(transfer: Transfer, deps: BringDeps): Promise<void> {
  const { images, limits, log, signal } = deps
  const { image, gone } = transfer
  const bytesBefore = await images.partBytes(image.file)
  try {
    await following([signal, gone.signal], async (stop) => {
      if (await isHere(transfer, deps, stop)) return
      const onProgress = (at: FetchProgress) => progress(transfer, deps, at)
      await fetchImage({ image, folder: images, limits, signal: stop, onProgress })
      log.info({ file: image.file }, 'image fetched')
    })
  } catch (error) {
    if (signal.aborted || gone.signal.aborted) return
    // A source that gets on does not wait longer each time.
    if ((await images.partBytes(image.file)) > bytesBefore) transfer.backoff.reset()
    fail(transfer, deps, error)
    return
  }
  transfer.status = 'ready'
  transfer.backoff.reset()
  deps.onReady()
}

/** By hand, or by an earlier start that could not tell. */
async function isHere(transfer: Transfer, deps: BringDeps, stop: AbortSignal): Promise<boolean> {
  const { images } = deps
  const { file, sha256 } = transfer.image
  const there = await images.look(file)
  if (!there || there.sha256 !== null) return false
  progress(transfer, deps, { status: 'checking', bytes: there.bytes, totalBytes: there.bytes })
  if ((await images.hashOf(images.pathOf(file), stop)) !== sha256) return false
  await images.removePart(file)
  return true
}

function progress(transfer: Transfer, { tell }: BringDeps, at: FetchProgress): void {
  const turned = transfer.status !== at.status
  Object.assign(transfer, at, { error: null })
  tell(turned)
}

function fail(transfer: Transfer, { log, tell }: BringDeps, error: unknown): void {
  const known = error instanceof TransferFailed
  const reason = known ? error.message : '下载失败，详见代理日志'
  Object.assign(transfer, { status: 'failed', error: reason, dueAtMs: performance.now() + transfer.backoff.next() })
  const facts = {
    file: transfer.image.file,
    url: publicUrl(transfer.image.url),
    reason,
    ...(known ? {} : { err: error }),
  }
  log.warn(facts, 'an image was not fetched; it is tried again')
  tell(true)
}
