import type { SimulatedSettings } from '../../config.js'
import type { ImageFolder } from '../../images/folder.js'
import { pause } from '../../wait.js'
import { HypervisorAway, HypervisorError } from '../hypervisor.js'
import { claimFault, type FaultKind } from './faults.js'
import { type SimulatedState, writeState } from './state.js'

/** Acts change `state` in place. */
export type SimulatedHost = {
  settings: SimulatedSettings
  images: ImageFolder
  statePath: string
  state: SimulatedState
}

export const simulatedAway = { kind: 'libvirt', detail: 'simulated fault' } as const

/** Of an install's time; the start takes a power action's. */
const shares = {
  verifyImage: 0.1,
  createDisk: 0.15,
  createSeed: 0.05,
  define: 0.05,
  awaitBoot: 0.3,
  tryLogin: 0.1,
  removeSeed: 0.05,
}

export function shareMs({ settings }: SimulatedHost, verb: keyof typeof shares): number {
  return settings.installMs * shares[verb]
}

/** `killBefore` strikes before the act. */
export function strike({ settings }: SimulatedHost, verb: string, serverId: string): FaultKind | null {
  const fault = claimFault(settings.faultsFile, verb, serverId)
  if (fault === 'killBefore') kill()
  return fault
}

/** Takes its time, its fault, its effect, and writes the state. */
export async function act(
  host: SimulatedHost,
  { verb, serverId, ms }: { verb: string; serverId: string; ms: number },
  effect: () => void,
  half?: () => void,
): Promise<void> {
  const fault = strike(host, verb, serverId)
  await pause(ms)
  if (fault === 'away') throw new HypervisorAway(simulatedAway)
  if (fault === 'hang') await new Promise(() => {})
  if (fault === 'fail') throw new HypervisorError(`simulated fault: ${verb} failed`)
  if (fault === 'lie') return
  if (fault === 'half') half?.()
  else effect()
  writeState(host.statePath, host.state)
  if (fault === 'killAfter') kill()
  if (fault === 'half') throw new HypervisorError(`simulated fault: ${verb} half done`)
  if (fault === 'lose') throw new HypervisorError(`simulated fault: the answer of ${verb} was lost`)
}

export function kill(): void {
  process.kill(process.pid, 'SIGKILL')
}
