import type { Generation } from '@vps/shared/jobs'
import type { Found } from './hypervisor/hypervisor.js'
import { checkStarted, same } from './plan.js'

/** As `plan.ts`, for a machine defined anew. Pure. */

/**
 * The disk to define over, of whichever epoch: the defined one, else the one from before a failure, else that of its
 * generation.
 */
export function diskToRedefine({ number, earlierNumber }: Redefined, { disks, definedBy }: Found): Generation | null {
  const its = disks.filter((disk) => disk.number === number || disk.number === earlierNumber)
  const defined = its.find((disk) => definedBy !== null && same(disk, definedBy))
  return defined ?? its.find((disk) => disk.number === earlierNumber) ?? its[0] ?? null
}
type Redefined = { number: number; earlierNumber?: number | undefined }

/** Null without its disk, or where another has its name. */
export function planRedefine(
  disk: Generation | null,
  start: boolean,
  found: Found,
): Set<'defineMachine' | 'startMachine'> | null {
  if (found.nameTaken || disk === null) return null
  const on = found.power === 'on' && found.autostart
  return new Set(start && !on ? ['defineMachine' as const, 'startMachine' as const] : ['defineMachine' as const])
}

/** Null: all is well. */
export function checkRedefined(disk: Generation | null, start: boolean, found: Found): string | null {
  if (!disk || !found.definedBy || !same(found.definedBy, disk)) return 'the definition is not the one that was made'
  return start ? checkStarted(found) : null
}
