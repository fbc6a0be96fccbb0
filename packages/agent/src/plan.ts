import { compareGenerations, type Generation } from '@vps/shared/jobs'
import { type Found, type MachineSize, nothingFound } from './hypervisor/hypervisor.js'

/**
 * Pure: from what is wanted and what was found to the steps that are still needed. A job that was interrupted anywhere,
 * or is done already, gets exactly the rest. Order and text of the steps are in `jobs/`.
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
 * Install and reinstall. `proven`: this generation was delivered before. Then the disk may hold a customer's data:
 * nothing that exists is made anew, only the proof is repeated. `keyed`: its host key is known. A guest that may have
 * booted with another can never be proven, so it is made anew.
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
  // Without a seed the first boot cannot set the guest up. A machine that runs has read it or holds it in its drive.
  const running = defined && disk && found.power === 'on'
  if (!proven && !running && !seeded) steps.add('createSeed')
  if (!defined || !disk) steps.add('defineMachine')
  if (!running || !found.autostart) steps.add('startMachine')
  if (found.seeds.length > 0 || steps.has('createSeed')) steps.add('removeSeed')
  return steps
}

/** With its seed or in its machine, a disk of this generation may have been set up already. */
function mayHaveBooted(wanted: Generation, { definedBy, seeds }: Found): boolean {
  return [...seeds, ...(definedBy ? [definedBy] : [])].some((made) => same(made, wanted))
}

/** What an installed machine must look like; null when it does, else what is wrong, for the operator. */
export function checkInstalled(wanted: Generation, found: Found): string | null {
  if (found.power !== 'on') return `the machine is ${found.power}`
  if (!found.definedBy || !same(found.definedBy, wanted)) return 'the definition is not the one that was made'
  if (found.disks.length !== 1 || !found.disks.every((disk) => same(disk, wanted)))
    return 'the disk is not the one that was made'
  if (found.seeds.length > 0) return 'the seed is still there'
  if (!found.autostart) return 'autostart is off'
  return null
}

/** Start: power on and coming back by itself. */
export function planStart(found: Found): Set<'startMachine'> {
  return new Set(found.power === 'on' && found.autostart ? [] : ['startMachine' as const])
}

/** What does not hold after a start; null when all is well. */
export function checkStarted(found: Found): string | null {
  if (found.power !== 'on') return `the machine is ${found.power}`
  return found.autostart ? null : 'autostart is off'
}

/** Stop: power off and staying off. A forced stop does not ask first. */
export function planStop(found: Found, force: boolean): Set<'askShutdown' | 'cutPower'> {
  if (found.power === 'off' || found.power === 'absent') return new Set(found.autostart ? ['cutPower' as const] : [])
  return new Set(force ? ['cutPower' as const] : ['askShutdown' as const, 'cutPower' as const])
}

/** Restart: off once, then on. `stopped`: the journal says that this job has had the machine off already. */
export function planRestart(found: Found, stopped: boolean): Set<'stopMachine' | 'startMachine'> {
  return new Set(
    stopped || found.power === 'off' ? ['startMachine' as const] : ['stopMachine' as const, 'startMachine' as const],
  )
}

/**
 * Resize: off, another size, and on again where it is one that comes back by itself; a machine that its owner has
 * stopped stays off. Autostart tells, because power does not once the machine has been stopped for this.
 */
export function planResize(wanted: MachineSize, found: Found): Set<'stopMachine' | 'applySize' | 'startMachine'> {
  const steps = new Set<'stopMachine' | 'applySize' | 'startMachine'>()
  if (!isSize(wanted, found.size)) {
    if (found.power !== 'off') steps.add('stopMachine')
    steps.add('applySize')
  }
  if (found.autostart && (found.power !== 'on' || steps.has('stopMachine'))) steps.add('startMachine')
  return steps
}

/** What does not hold after a resize; null when all is well. */
export function checkResized(wanted: MachineSize, found: Found): string | null {
  if (!isSize(wanted, found.size)) return `the machine has the size ${JSON.stringify(found.size)}`
  return found.power === (found.autostart ? 'on' : 'off') ? null : `the machine is ${found.power}`
}

function isSize(wanted: MachineSize, found: MachineSize | null): boolean {
  if (found?.cpuCores !== wanted.cpuCores || found.memoryMb !== wanted.memoryMb) return false
  // Disks only grow: a larger one is what an upgrade that failed has left.
  return found.diskGb === wanted.diskGb || (found.diskGb ?? 0) >= (wanted.diskGb ?? Number.POSITIVE_INFINITY)
}

/**
 * Redefine: made anew whatever there is; null where the disk that it is for is not there, or its name is somebody
 * else's.
 */
export function planRedefine(
  wanted: Generation,
  start: boolean,
  found: Found,
): Set<'defineMachine' | 'startMachine'> | null {
  if (found.nameTaken || !found.disks.some((made) => same(made, wanted))) return null
  const on = found.power === 'on' && found.autostart
  return new Set(start && !on ? ['defineMachine' as const, 'startMachine' as const] : ['defineMachine' as const])
}

/** What does not hold after a redefinition; null when all is well. */
export function checkRedefined(wanted: Generation, start: boolean, found: Found): string | null {
  if (!found.definedBy || !same(found.definedBy, wanted)) return 'the definition is not the one that was made'
  return start ? checkStarted(found) : null
}

/** Destroy: nothing may be left, of any generation. */
export function planDestroy(found: Found): Set<'cutPower' | 'removeMachine'> {
  const steps = new Set<'cutPower' | 'removeMachine'>()
  if (found.power === 'on' || found.power === 'unknown') steps.add('cutPower')
  if (checkDestroyed(found) !== null) steps.add('removeMachine')
  return steps
}

/** Null when nothing is left, else what is. */
export function checkDestroyed(found: Found): string | null {
  if (found.power !== 'absent') return `the machine is still there (${found.power})`
  if (found.disks.length > 0) return 'a disk is still there'
  if (found.seeds.length > 0) return 'a seed is still there'
  return null
}

function same(a: Generation, b: Generation): boolean {
  return compareGenerations(a, b) === 0
}
