import { compareGenerations, type Generation } from '@vps/shared/jobs'
import { type Found, type NewSize, nothingFound } from './hypervisor/hypervisor.js'

/**
 * Pure: from what is wanted and found to the steps left; an interrupted job gets exactly the rest. Their order is in
 * `jobs/`.
 */

export type InstallStep =
  | 'verifyImage'
  | 'createDisk'
  | 'createSeed'
  | 'defineMachine'
  | 'startMachine'
  | 'awaitBoot'
  | 'proveLogin'
  | 'removeSeed'

/**
 * `proven`: delivered before; the disk may hold a customer's data, so only the proof is repeated. `keyed`: its host key
 * is known; a guest that may have booted with another can never be proven, and is made anew.
 */
export function planInstall(
  wanted: Generation,
  there: Found,
  { proven, keyed }: { proven: boolean; keyed: boolean },
): Set<InstallStep> {
  const found = proven || keyed || !mayHaveBooted(wanted, there) ? there : { ...there, ...nothingFound }
  const steps = new Set<InstallStep>(['awaitBoot', 'proveLogin'])
  const disk = found.disks.some((made) => same(made, wanted))
  const defined = found.definedBy !== null && same(found.definedBy, wanted)
  const seeded = found.seeds.some((made) => same(made, wanted))
  if (!disk) steps.add('verifyImage').add('createDisk')
  // Without a seed the first boot sets nothing up. A running machine has read or holds it.
  const running = defined && disk && found.power === 'on'
  if (!proven && !running && !seeded) steps.add('createSeed')
  if (!defined || !disk) steps.add('defineMachine')
  if (!running || !found.autostart) steps.add('startMachine')
  if (found.seeds.length > 0 || steps.has('createSeed')) steps.add('removeSeed')
  return steps
}

/** With its seed or in its machine, a disk may be set up already. */
function mayHaveBooted(wanted: Generation, { definedBy, seeds }: Found): boolean {
  return [...seeds, ...(definedBy ? [definedBy] : [])].some((made) => same(made, wanted))
}

/** For the operator; null: as it must be. */
export function checkInstalled(wanted: Generation, found: Found): string | null {
  if (found.power !== 'on') return `the machine is ${found.power}`
  if (!found.definedBy || !same(found.definedBy, wanted)) return 'the definition is not the one that was made'
  if (found.disks.length !== 1 || !found.disks.every((disk) => same(disk, wanted)))
    return 'the disk is not the one that was made'
  if (found.seeds.length > 0) return 'the seed is still there'
  if (!found.autostart) return 'autostart is off'
  return null
}

/** On, and comes back by itself. */
export function planStart(found: Found): Set<'startMachine'> {
  return new Set(found.power === 'on' && found.autostart ? [] : ['startMachine' as const])
}

/** Null: all is well. */
export function checkStarted(found: Found): string | null {
  if (found.power !== 'on') return `the machine is ${found.power}`
  return found.autostart ? null : 'autostart is off'
}

/** Off, and stays off; a forced stop does not ask first. What it replaced may have left something. */
export function planStop(found: Found, force: boolean): Set<'askShutdown' | 'cutPower'> {
  if (found.power === 'off' || found.power === 'absent')
    return new Set(found.autostart || leftBeside(found) !== null ? ['cutPower' as const] : [])
  return new Set(force ? ['cutPower' as const] : ['askShutdown' as const, 'cutPower' as const])
}

/**
 * The disk in use, where others, half-made ones or a rescue system lie beside it: of an act whose agent was killed, and
 * which nobody goes on with. Null: nothing, or not told. A seed may be a new password's, for the next start.
 */
export function leftBeside({ definedBy, disks, hasHalf, rescues, rescueId, seeds }: Found): Generation | null {
  const isInUse = (disk: Generation) => definedBy !== null && same(disk, definedBy)
  if (rescueId !== null || seeds.length > 0 || !disks.some(isInUse)) return null
  return disks.length > 1 || hasHalf || rescues.length > 0 ? definedBy : null
}

/** Off once, then on. `stopped`: this job had it off, by the journal. */
export function planRestart(found: Found, stopped: boolean): Set<'stopMachine' | 'startMachine'> {
  return new Set(
    stopped || found.power === 'off' ? ['startMachine' as const] : ['stopMachine' as const, 'startMachine' as const],
  )
}

/** Off, resized, and on again by its autostart: this job itself may have stopped it. */
export function planResize(wanted: NewSize, found: Found): Set<'stopMachine' | 'applySize' | 'startMachine'> {
  const steps = new Set<'stopMachine' | 'applySize' | 'startMachine'>()
  if (!isSize(wanted, found.size) || !isBandwidth(wanted, found)) {
    if (found.power !== 'off') steps.add('stopMachine')
    steps.add('applySize')
  }
  if (found.autostart && (found.power !== 'on' || steps.has('stopMachine'))) steps.add('startMachine')
  return steps
}

/** Null: all is well. */
export function checkResized(wanted: NewSize, found: Found): string | null {
  if (!isSize(wanted, found.size)) return `the machine has the size ${JSON.stringify(found.size)}`
  if (!isBandwidth(wanted, found)) return `the machine has the bandwidth ${JSON.stringify(found.bandwidthMbps)}`
  return found.power === (found.autostart ? 'on' : 'off') ? null : `the machine is ${found.power}`
}

function isSize(wanted: NewSize, found: Found['size']): boolean {
  if (found?.cpuCores !== wanted.cpuCores || found.memoryMb !== wanted.memoryMb) return false
  // Disks only grow: a failed upgrade leaves a larger one.
  return found.diskGb === wanted.diskGb || (found.diskGb ?? 0) >= (wanted.diskGb ?? Number.POSITIVE_INFINITY)
}

/** One without a limit is not restarted for one: it has what was bought. */
function isBandwidth({ bandwidthMbps: wanted }: NewSize, { bandwidthMbps: limits }: Found): boolean {
  return wanted === null || limits === null || Object.values(limits).every((rate) => rate === wanted || rate === 0)
}

/** Null: all is well. */
export function checkAdmitted(wanted: readonly string[], found: Found): string | null {
  const isSame = found.addresses.join(' ') === wanted.join(' ')
  return isSame ? null : `the machine may send from ${found.addresses.join(' ') || 'nothing'}`
}

/** Thaws always: an earlier run may have died with the guest frozen. */
export function planSnapshot(snapshotId: string, found: Found): Set<'takeSnapshot' | 'thaw'> | null {
  if (found.power === 'absent') return null
  return new Set(found.snapshots.includes(snapshotId) ? ['thaw' as const] : ['takeSnapshot' as const, 'thaw' as const])
}

/** Null where it is not there. A disk that this job took back may hold new data: only the rest is left. */
export function planRevert(
  { snapshotId, jobId }: { snapshotId: string; jobId: string },
  found: Found,
): Set<'cutPower' | 'revertDisk' | 'startMachine' | 'awaitBoot' | 'proveLogin'> | null {
  const rest = found.autostart ? (['awaitBoot', 'proveLogin'] as const) : []
  if (found.revertedBy === jobId)
    return new Set(found.autostart && found.power !== 'on' ? ['startMachine' as const, ...rest] : rest)
  if (!found.snapshots.includes(snapshotId)) return null
  return new Set([
    ...(found.power === 'off' ? [] : (['cutPower'] as const)),
    'revertDisk',
    ...(found.autostart ? (['startMachine'] as const) : []),
    ...rest,
  ])
}

/** Null: all is well. */
export function checkReverted(jobId: string, found: Found): string | null {
  if (found.revertedBy !== jobId) return 'the disk was not taken back'
  return found.power === (found.autostart ? 'on' : 'off') ? null : `the machine is ${found.power}`
}

/** Null without a machine. `keyed`: its host key is known, else it can never be proven, and is made anew. */
export function planEnterRescue(rescueId: string, found: Found, keyed: boolean): Set<EnterRescueStep> | null {
  if (found.power === 'absent') return null
  const steps = new Set<EnterRescueStep>(['awaitBoot', 'proveLogin', 'removeSeed'])
  const isMade = keyed && found.rescues.includes(rescueId)
  if (!isMade) steps.add('verifyImage').add('createRescue')
  if (!isMade || found.rescueId !== rescueId) {
    if (found.power !== 'off') steps.add('stopMachine')
    steps.add('enterRescue')
  }
  if (found.power !== 'on' || !found.autostart || steps.has('enterRescue')) steps.add('startMachine')
  return steps
}
type EnterRescueStep =
  | 'verifyImage'
  | 'createRescue'
  | 'stopMachine'
  | 'enterRescue'
  | 'startMachine'
  | 'awaitBoot'
  | 'proveLogin'
  | 'removeSeed'

/** Null: all is well. */
export function checkInRescue(rescueId: string, found: Found): string | null {
  return found.rescueId === rescueId ? checkStarted(found) : 'the definition is not that of the rescue'
}

/** Null without a machine. Does not stop again one that left it. */
export function planLeaveRescue(
  start: boolean,
  found: Found,
): Set<'stopMachine' | 'leaveRescue' | 'startMachine' | 'awaitBoot' | 'proveLogin'> | null {
  if (found.power === 'absent') return null
  const isIn = found.rescueId !== null
  const stops = start ? isIn && found.power !== 'off' : found.power !== 'off' || found.autostart
  return new Set([
    ...(stops ? (['stopMachine'] as const) : []),
    ...(isIn || found.rescues.length > 0 ? (['leaveRescue'] as const) : []),
    ...(start && (isIn || found.power !== 'on' || !found.autostart) ? (['startMachine'] as const) : []),
    ...(start ? (['awaitBoot', 'proveLogin'] as const) : []),
  ])
}

/** Null: all is well. */
export function checkRescueLeft(start: boolean, found: Found): string | null {
  if (found.rescueId !== null || found.rescues.length > 0) return 'something of the rescue is left'
  if (start) return checkStarted(found)
  return found.power === 'off' ? null : `the machine is ${found.power}`
}

/** Null without a machine. A later order's rules stay. */
export function planFirewall(revision: number, found: Found): Set<'applyFirewall'> | null {
  if (found.power === 'absent') return null
  return new Set((found.firewall ?? 0) > revision ? [] : ['applyFirewall' as const])
}

/** Null: all is well. */
export function checkFirewall(revision: number, found: Found): string | null {
  return (found.firewall ?? 0) >= revision ? null : `the firewall has revision ${found.firewall ?? 'none'}`
}

/**
 * Null where another has its name. The disk comes beside the old one, which goes once the definition is the new
 * machine's. `guard`: the revision of its firewall, if it is brought along.
 */
export function planRestore(wanted: Generation, found: Found, guard = 0): Set<RestoreStep> | null {
  if (found.nameTaken) return null
  const steps = new Set<RestoreStep>(['awaitBoot', 'proveLogin'])
  const defined = found.definedBy !== null && same(found.definedBy, wanted)
  if (!found.disks.some((disk) => same(disk, wanted))) steps.add('restoreDisk')
  if (!defined) {
    if (found.power === 'on' || found.power === 'unknown') steps.add('cutPower')
    steps.add('defineMachine')
  }
  if ((found.firewall ?? 0) < guard) steps.add('applyFirewall')
  if (found.seeds.length > 0 || found.disks.some((disk) => !same(disk, wanted))) steps.add('removeOthers')
  if (!defined || found.power !== 'on' || !found.autostart) steps.add('startMachine')
  return steps
}
type RestoreStep =
  | 'restoreDisk'
  | 'cutPower'
  | 'defineMachine'
  | 'applyFirewall'
  | 'removeOthers'
  | 'startMachine'
  | 'awaitBoot'
  | 'proveLogin'

/**
 * Of another server's backup, as a machine of its own: the old disk goes before the seed comes, once the new one is
 * whole.
 */
export function planRestoreElsewhere(
  wanted: Generation,
  found: Found,
  proven: boolean,
): Set<InstallStep | RestoreStep | 'takeIdentity'> | null {
  if (found.nameTaken) return null
  // Its host key was noted before its seed was made.
  const steps = new Set<InstallStep | RestoreStep | 'takeIdentity'>(planInstall(wanted, found, { proven, keyed: true }))
  steps.delete('verifyImage')
  if (steps.delete('createDisk')) steps.add('restoreDisk')
  const defined = found.definedBy !== null && same(found.definedBy, wanted)
  if (!defined && (found.power === 'on' || found.power === 'unknown')) steps.add('cutPower')
  if (found.disks.some((disk) => !same(disk, wanted))) steps.add('removeOthers')
  if (!proven) steps.add('takeIdentity')
  return steps
}

/** Nothing may be left, of any generation. */
export function planDestroy(found: Found): Set<'cutPower' | 'removeMachine'> {
  const steps = new Set<'cutPower' | 'removeMachine'>()
  if (found.power === 'on' || found.power === 'unknown') steps.add('cutPower')
  if (checkDestroyed(found) !== null) steps.add('removeMachine')
  return steps
}

/** Null, or what is left. */
export function checkDestroyed(found: Found): string | null {
  if (found.power !== 'absent') return `the machine is still there (${found.power})`
  if (found.disks.length > 0 || found.hasHalf) return 'a disk is still there'
  if (found.rescues.length > 0) return 'a rescue system is still there'
  if (found.seeds.length > 0) return 'a seed is still there'
  if (found.firewall !== null) return 'its firewall is still there'
  if (found.outsidePorts.length > 0) return 'ports still lead to it'
  return null
}

/** The same making of a machine. */
export function same(a: Generation, b: Generation): boolean {
  return compareGenerations(a, b) === 0
}
