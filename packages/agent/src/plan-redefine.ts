import type { Generation } from '@vps/shared/jobs'
import type { Found } from './hypervisor/hypervisor.js'
import { checkStarted, same } from './plan.js'

/** A machine defined anew: the same as `plan.ts`. Pure. */

/**
 * The disk that a machine is defined over anew, of whichever epoch: the one that it is defined with, else the one from
 * before what did not come about, else that of its generation.
 */
export function diskToRedefine({ number, earlierNumber }: Redefined, { disks, definedBy }: Found): Generation | null {
  const its = disks.filter((disk) => disk.number === number || disk.number === earlierNumber)
  const defined = its.find((disk) => definedBy !== null && same(disk, definedBy))
  return defined ?? its.find((disk) => disk.number === earlierNumber) ?? its[0] ?? null
}
type Redefined = { number: number; earlierNumber?: number | undefined }

/** Null where its disk is not there, or its name is somebody else's. */
export function planRedefine(
  disk: Generation | null,
  start: boolean,
  found: Found,
): Set<'defineMachine' | 'startMachine'> | null {
  if (found.nameTaken || disk === null) return null
  const on = found.power === 'on' && found.autostart
  return new Set(start && !on ? ['defineMachine' as const, 'startMachine' as const] : ['defineMachine' as const])
}

/** Null when all is well. */
export function checkRedefined(disk: Generation | null, start: boolean, found: Found): string | null {
  if (!disk || !found.definedBy || !same(found.definedBy, disk)) return 'the definition is not the one that was made'
  return start ? checkStarted(found) : null
}
