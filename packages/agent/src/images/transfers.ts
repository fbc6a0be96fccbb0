import type { ImageTransfer, WantedImage } from '@vps/shared/agent.contract'
import { publicUrl } from '@vps/shared/images'
import { turn, type TurnDeps } from '../turn.js'
import { Backoff, following, pause } from '../wait.js'
import { fetchImage, type FetchLimits, type FetchProgress } from './fetch-image.js'
import type { ImageFolder } from './folder.js'
import { TransferFailed } from './transfer-failed.js'

export type TransferLimits = FetchLimits & { firstPauseMs: number; lastPauseMs: number; tellEveryMs: number }

/** As an agent runs: a failed image is tried again after 15 s at first, in the end every 10 minutes. */
export const transferLimits: TransferLimits = {
  stallMs: 60_000,
  wholeMs: 6 * 3_600_000,
  spareBytes: 1024 ** 3,
  firstPauseMs: 15_000,
  lastPauseMs: 600_000,
  tellEveryMs: 2000,
  allowed: [],
}

/** One image that the host should have, and how far it is. */
type Entry = {
  image: WantedImage
  status: ImageTransfer['status'] | 'ready'
  bytes: number
  totalBytes: number | null
  error: string | null
  backoff: Backoff
  dueAtMs: number
  /** Aborted when it is no longer wanted, or wanted otherwise. */
  gone: AbortController
}

/**
 * Brings the images that the API wants to be here, one at a time and apart from the jobs: what is missing or has
 * another hash is fetched, what failed is tried again after growing pauses. `onChange` is called when there is
 * something to tell, `onReady` when an image has become usable.
 */
export function transferLoop(
  deps: TurnDeps & {
    images: ImageFolder
    limits: TransferLimits
    onChange: () => void
    onReady: () => void
  },
) {
  const { images, limits, log, signal } = deps
  /** By file; null until the API has said which: what an earlier start has left must not be thrown away before. */
  let entries: Map<string, Entry> | null = null
  let woken = new AbortController()
  let toldAtMs = 0

  /** The next image whose turn it is. Looks at every file again: an operator may take one away or put another there. */
  async function nextDue(): Promise<Entry | null> {
    for (const entry of entries?.values() ?? []) {
      const there = await images.look(entry.image.file)
      if (there?.sha256 === entry.image.sha256) entry.status = 'ready'
      else if (entry.dueAtMs <= performance.now()) return entry
    }
    return null
  }

  async function bring(entry: Entry): Promise<void> {
    const { image, gone } = entry
    const bytesBefore = await images.partBytes(image.file)
    try {
      await following([signal, gone.signal], async (stop) => {
        if (await isHere(entry, stop)) return
        const onProgress = (at: FetchProgress) => progress(entry, at)
        await fetchImage({ image, folder: images, limits, signal: stop, onProgress })
        log.info({ file: image.file }, 'image fetched')
      })
    } catch (error) {
      if (signal.aborted || gone.signal.aborted) return
      // A source that breaks off now and then, but gets on, is not made to wait longer each time.
      if ((await images.partBytes(image.file)) > bytesBefore) entry.backoff.reset()
      fail(entry, error)
      return
    }
    entry.status = 'ready'
    entry.backoff.reset()
    deps.onReady()
  }

  /** Whether the very file lies here already, put there by hand or fetched by an earlier start that could not tell. */
  async function isHere(entry: Entry, stop: AbortSignal): Promise<boolean> {
    const { file, sha256 } = entry.image
    const there = await images.look(file)
    // A hash that is known is another: that is why the image is due.
    if (!there || there.sha256 !== null) return false
    progress(entry, { status: 'checking', bytes: there.bytes, totalBytes: there.bytes })
    if ((await images.hashOf(images.pathOf(file), stop)) !== sha256) return false
    await images.removePart(file)
    return true
  }

  function progress(entry: Entry, at: FetchProgress): void {
    const turned = entry.status !== at.status
    Object.assign(entry, at, { error: null })
    const nowMs = performance.now()
    if (!turned && nowMs - toldAtMs < limits.tellEveryMs) return
    toldAtMs = nowMs
    deps.onChange()
  }

  function fail(entry: Entry, error: unknown): void {
    const known = error instanceof TransferFailed
    const reason = known ? error.message : '下载失败，详见代理日志'
    Object.assign(entry, { status: 'failed', error: reason, dueAtMs: performance.now() + entry.backoff.next() })
    const facts = { file: entry.image.file, url: publicUrl(entry.image.url), reason, ...(known ? {} : { err: error }) }
    log.warn(facts, 'an image was not fetched; it is tried again')
    deps.onChange()
  }

  /** Removes what is left of images that are no longer wanted. */
  async function tidy(): Promise<void> {
    if (!entries) return
    for (const file of await images.parts()) if (!entries.has(file)) await images.removePart(file)
  }

  /** Until a failed one is due again; sooner when the API wants something else. */
  function rest(): Promise<void> {
    const dues = [...(entries?.values() ?? [])].filter((entry) => entry.status !== 'ready').map((one) => one.dueAtMs)
    const leftMs = Math.min(...dues, Infinity) - performance.now()
    return pause(Math.min(restMs, Math.max(1, leftMs)), signal, woken.signal)
  }

  const ended = (async () => {
    while (!signal.aborted) {
      woken = new AbortController()
      const went = await turn(deps, 'image transfer', async () => {
        await tidy()
        const entry = await nextDue()
        await (entry ? bring(entry) : rest())
      })
      if (!went) await pause(restMs, signal)
    }
  })()

  return {
    ended,

    /** Takes the whole list of images that belong here. What comes in and is not among them is broken off. */
    want(wanted: readonly WantedImage[]): void {
      const next = new Map<string, Entry>()
      for (const image of wanted) {
        const entry = entries?.get(image.file)
        const same = entry?.image.url === image.url && entry.image.sha256 === image.sha256
        next.set(image.file, entry && same ? entry : newEntry(image, limits))
      }
      for (const entry of entries?.values() ?? []) if (next.get(entry.image.file) !== entry) entry.gone.abort()
      entries = next
      woken.abort()
    },

    /** What is not here yet, for the report. */
    state(): ImageTransfer[] {
      return [...(entries?.values() ?? [])].flatMap(({ image, status, bytes, totalBytes, error }) =>
        status === 'ready' ? [] : [{ file: image.file, status, bytes, totalBytes, error }],
      )
    },
  }
}

const restMs = 30_000

function newEntry(image: WantedImage, limits: TransferLimits): Entry {
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
