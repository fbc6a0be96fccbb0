import type { ImageTransfer, WantedImage } from '@vps/shared/agent.contract'
import { turn, type TurnDeps } from '../turn.js'
import { pause } from '../wait.js'
import { bring, newTransfer, type Transfer } from './bring.js'
import type { FetchLimits } from './fetch-image.js'
import type { ImageFolder } from './folder.js'

export type TransferLimits = FetchLimits & { firstPauseMs: number; lastPauseMs: number; tellEveryMs: number }

/** After 15 s at first, in the end every 10 minutes. */
export const transferLimits: TransferLimits = {
  stallMs: 60_000,
  wholeMs: 6 * 3_600_000,
  spareBytes: 1024 ** 3,
  lookMs: 2000,
  firstPauseMs: 15_000,
  lastPauseMs: 600_000,
  tellEveryMs: 2000,
  allowed: [],
}

/** One at a time, apart from the jobs: fetches what is missing or has another hash, again after growing pauses. */
export function transferLoop(
  deps: TurnDeps & {
    images: ImageFolder
    limits: TransferLimits
    onChange: () => void
    onReady: () => void
  },
) {
  const { images, limits, signal } = deps
  /** Null until the API said which: an earlier start's parts must not go before. */
  let transfers: Map<string, Transfer> | null = null
  let woken = new AbortController()
  const tell = atMostEvery(limits.tellEveryMs, deps.onChange)

  const ended = (async () => {
    while (!signal.aborted) {
      woken = new AbortController()
      const went = await turn(deps, 'image transfer', async () => {
        if (transfers) await removeUnwanted(images, transfers)
        const transfer = await nextDue(images, transfers)
        if (transfer) await bring(transfer, { ...deps, tell })
        else await pause(untilDueMs(transfers), signal, woken.signal)
      })
      if (!went) await pause(restMs, signal)
    }
  })()

  return {
    ended,

    want(wanted: readonly WantedImage[]): void {
      const next = new Map<string, Transfer>()
      for (const image of wanted) {
        const transfer = transfers?.get(image.file)
        const same = transfer?.image.url === image.url && transfer.image.sha256 === image.sha256
        next.set(image.file, transfer && same ? transfer : newTransfer(image, limits))
      }
      for (const transfer of transfers?.values() ?? [])
        if (next.get(transfer.image.file) !== transfer) transfer.gone.abort()
      transfers = next
      woken.abort()
    },

    state(): ImageTransfer[] {
      return [...(transfers?.values() ?? [])].flatMap(({ image, status, bytes, totalBytes, error }) =>
        status === 'ready' ? [] : [{ file: image.file, status, bytes, totalBytes, error }],
      )
    },
  }
}

type Transfers = ReadonlyMap<string, Transfer> | null

/** Looks at every file again: an operator may change one. */
async function nextDue(images: ImageFolder, transfers: Transfers): Promise<Transfer | null> {
  for (const transfer of transfers?.values() ?? []) {
    const there = await images.look(transfer.image.file)
    if (there?.sha256 === transfer.image.sha256) transfer.status = 'ready'
    else if (transfer.dueAtMs <= performance.now()) return transfer
  }
  return null
}

async function removeUnwanted(images: ImageFolder, transfers: ReadonlyMap<string, Transfer>): Promise<void> {
  for (const file of await images.parts()) if (!transfers.has(file)) await images.removePart(file)
}

function untilDueMs(transfers: Transfers): number {
  const dues = [...(transfers?.values() ?? [])].filter(({ status }) => status !== 'ready').map(({ dueAtMs }) => dueAtMs)
  return Math.min(restMs, Math.max(1, Math.min(...dues, Infinity) - performance.now()))
}

const restMs = 30_000

function atMostEvery(ms: number, act: () => void): (pressing: boolean) => void {
  let lastMs = 0
  return (pressing) => {
    const nowMs = performance.now()
    if (!pressing && nowMs - lastMs < ms) return
    lastMs = nowMs
    act()
  }
}
