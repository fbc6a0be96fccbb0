import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wipingEnding } from '@vps/shared/agent'
import * as z from 'zod'
import type { VirshSettings } from '../../config.js'
import { beyondDeadline } from '../../deadline.js'
import { isFull, isMissing, syncFolder } from '../../files.js'
import { pause } from '../../wait.js'
import { run } from './run.js'
import { deviceOf, discardVolume, partsOf, removeVolume } from './thin-volumes.js'

/**
 * Files first get another name, which no machine has, then lose content and name. So nothing broken off is taken for a
 * disk, and whoever looks next goes on (decision 0112).
 */
export function openWiping(dir: string, how: VirshSettings['wipe'], { onTrouble, onWiped }: Told) {
  let going: Promise<void> | null = null
  const goOn = (): Promise<void> =>
    (going ??= beyondDeadline(() => wipeAll(dir, how, onTrouble))
      .then((wiped) => (wiped > 0 ? onWiped() : undefined))
      .catch(onTrouble)
      .finally(() => (going = null)))
  return {
    /** Gone for their machine when it returns; nobody waits for overwriting. */
    async remove(names: readonly string[]): Promise<void> {
      const aside: string[] = []
      for (const name of names) {
        const other = `${name}.${randomBytes(4).toString('hex')}${wipingEnding}`
        try {
          await rename(join(dir, name), join(dir, other))
          aside.push(other)
        } catch (error) {
          if (!isFull(error)) throw error
          // Renaming the others needs its room.
          await wipe(join(dir, name), how)
        }
      }
      await syncFolder(dir)
      if (how === 'overwrite') void goOn()
      else for (const name of aside) await wipe(join(dir, name), how)
      await syncFolder(dir)
    },
    /** Left by an earlier agent, or failed. */
    goOn,
  }
}

type Told = { onTrouble: (error: unknown) => void; onWiped: () => Promise<void> }

/** No machine's any more. */
export const isWiping = (name: string): boolean => name.endsWith(wipingEnding)

/** One file at a time, whoever asked; says how many. One that fails holds up no other. */
async function wipeAll(dir: string, how: VirshSettings['wipe'], onTrouble: Told['onTrouble']): Promise<number> {
  const failed = new Set<string>()
  for (let wiped = 0; ;) {
    const name = (await readdir(dir)).find((one) => isWiping(one) && !failed.has(one))
    if (name === undefined) return wiped
    try {
      await wipe(join(dir, name), how)
      await syncFolder(dir)
      wiped += 1
    } catch (error) {
      failed.add(name)
      onTrouble(error)
    }
  }
}

async function wipe(path: string, how: VirshSettings['wipe']): Promise<void> {
  const device = await deviceOf(path)
  if (device) {
    if (how === 'overwrite') await overwriteVolume(device)
    if (how === 'discard') await discardVolume(device)
    return removeVolume(path, device)
  }
  if (how === 'none') return rm(path, { force: true })
  const file = await open(path, 'r+').catch((error: unknown) => {
    // Two may be at it.
    if (isMissing(error)) return null
    throw error
  })
  try {
    if (how === 'overwrite' && file) await overwrite(file, path)
    await rm(path, { force: true })
    // Its blocks go back at once, even where somebody has it open.
    await file?.truncate(0)
  } finally {
    await file?.close()
  }
}

/** From its end, cutting off as it goes: killed anywhere, the next run goes on there. */
async function overwrite(file: FileHandle, path: string): Promise<void> {
  let { size } = await file.stat()
  while (size > 0) {
    const from = Math.floor((size - 1) / windowBytes) * windowBytes
    await zeroOut(file, path, { from, to: size })
    await file.truncate(from)
    size = from
  }
}

/** From its end; each part goes back to the pool once it is done, so the next run goes on there. */
async function overwriteVolume(device: string): Promise<void> {
  const parts = await partsOf(device)
  if (parts.length === 0) return
  const file = await open(device, 'r+')
  try {
    for (const part of parts.toReversed()) {
      for (let to = part.to; to > part.from; to = Math.max(part.from, to - windowBytes)) {
        const from = Math.max(part.from, to - windowBytes)
        await zeroOut(file, device, { from, to })
        await discardVolume(device, { from, to })
      }
    }
  } finally {
    await file.close()
  }
}

/** What is written of this part, flushed; holes stay. Pauses after each piece as long, for the machines. */
export async function zeroOut(file: FileHandle, path: string, { from, to }: Part): Promise<void> {
  for (const extent of await extentsOf(path, { from, to })) {
    for (let at = extent.from; at < extent.to; at += pieceBytes) {
      const began = performance.now()
      await file.write(zeroes, 0, Math.min(pieceBytes, extent.to - at), at)
      await file.datasync()
      await pause(performance.now() - began)
    }
  }
}

type Part = { from: number; to: number }

const windowBytes = 256 * 1024 ** 2
const pieceBytes = 4 * 1024 ** 2
const zeroes = Buffer.alloc(pieceBytes)

/** Of the file itself, whatever is in it. */
async function extentsOf(path: string, { from, to }: Part): Promise<Part[]> {
  const part = [`--start-offset=${from}`, `--max-length=${to - from}`]
  const told = await run('qemu-img', ['map', '--force-share', '--format=raw', '--output=json', ...part, path])
  return mapped.parse(JSON.parse(told)).flatMap(({ start, length, data }) => {
    const extent = { from: Math.max(start, from), to: Math.min(start + length, to) }
    return data && extent.from < extent.to ? [extent] : []
  })
}

const mapped = z.array(z.looseObject({ start: z.number(), length: z.number(), data: z.boolean() }))
