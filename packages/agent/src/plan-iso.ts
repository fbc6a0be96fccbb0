import type { Found } from './hypervisor/hypervisor.js'
import { checkStarted, planRestart } from './plan.js'

/** Discs in a machine's drive: the same as `plan.ts`. Pure. */

/**
 * Null where there is no machine. The restart of one that boots from it is done once, whatever was interrupted.
 * `stopped`: this job has had it off already, by the journal.
 */
export function planInsertIso(
  { isoId, boots }: { isoId: string; boots: boolean },
  found: Found,
  stopped: boolean,
): Set<'verifyImage' | 'insertIso' | 'stopMachine' | 'startMachine'> | null {
  if (found.power === 'absent') return null
  return new Set([
    ...(isInserted({ isoId, boots }, found) ? [] : (['verifyImage', 'insertIso'] as const)),
    ...(boots ? planRestart(found, stopped) : []),
  ])
}

/** Null when all is well. */
export function checkIsoInserted(wanted: { isoId: string; boots: boolean }, found: Found): string | null {
  if (!isInserted(wanted, found)) return 'the definition has another disc in its drive, or none'
  return wanted.boots ? checkStarted(found) : null
}

function isInserted({ isoId, boots }: { isoId: string; boots: boolean }, { iso }: Found): boolean {
  return iso !== null && iso.id === isoId && iso.boots === boots
}

/**
 * Nothing where there is no machine: no drive holds it. What that of a running one holds is not asked for: it is emptied
 * in any case.
 */
export function planEjectIso(found: Found): Set<'ejectIso'> {
  return new Set(found.power === 'absent' ? [] : ['ejectIso'])
}

/** Null when all is well. */
export function checkIsoEjected(found: Found): string | null {
  return found.iso === null ? null : 'the definition has a disc in its drive'
}
