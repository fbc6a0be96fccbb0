import type { Found } from './hypervisor/hypervisor.js'
import { checkStarted, planRestart } from './plan.js'

/** As `plan.ts`, for discs. Pure. */

/**
 * Null without a machine. Restarts once to boot from it, whatever was interrupted. `stopped`: this job had it off, by
 * the journal.
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

/** Null: all is well. */
export function checkIsoInserted(wanted: { isoId: string; boots: boolean }, found: Found): string | null {
  if (!isInserted(wanted, found)) return 'the definition has another disc in its drive, or none'
  return wanted.boots ? checkStarted(found) : null
}

function isInserted({ isoId, boots }: { isoId: string; boots: boolean }, { iso }: Found): boolean {
  return iso !== null && iso.id === isoId && iso.boots === boots
}

/** Nothing without a machine. A running one's drive is not asked, but emptied. */
export function planEjectIso(found: Found): Set<'ejectIso'> {
  return new Set(found.power === 'absent' ? [] : ['ejectIso'])
}

/** Null: all is well. */
export function checkIsoEjected(found: Found): string | null {
  return found.iso === null ? null : 'the definition has a disc in its drive'
}
