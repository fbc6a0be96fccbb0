import { compareGenerations, type Generation } from '@vps/shared/jobs'
import type { MachineDescription } from '@vps/shared/jobs.contract'
import { accessOf, type Found, HypervisorError, nothingFound, outsidePortsOf } from '../hypervisor.js'
import { isOn, type SimulatedDomain, type SimulatedState } from './state.js'
import { bandwidthTold } from './told.js'

/** One there before keeps its power. */
export function newDomain(
  machine: MachineDescription,
  generation: Generation,
  before: SimulatedDomain | undefined,
): SimulatedDomain {
  return {
    generation,
    cpuCores: machine.cpuCores,
    memoryMb: machine.memoryMb,
    bandwidthMbps: machine.bandwidthMbps,
    mac: machine.network.mac,
    addresses: [...machine.network.addresses.map(({ address }) => address), ...machine.network.prefixes],
    outsidePorts: outsidePortsOf(machine),
    access: accessOf(machine),
    on: before?.on ?? false,
    autostart: before?.autostart ?? false,
    startedAtMs: before?.startedAtMs ?? null,
    offAtMs: before?.offAtMs ?? null,
    ...(before?.runsIso === undefined ? {} : { runsIso: before.runsIso }),
  }
}

/**  */
export function readSeed(state: SimulatedState, serverId: string, domain: SimulatedDomain): void {
  const same = (one: { serverId: string; generation: Generation }) =>
    one.serverId === serverId && compareGenerations(one.generation, domain.generation) === 0
  const disk = state.disks.find(same)
  const seed = state.seeds.find(same)
  if (!disk || !seed) return
  if (seed.hostKey === undefined) disk.passwordHash = seed.passwordHash
  else if (disk.passwordHash === null) Object.assign(disk, { passwordHash: seed.passwordHash, hostKey: seed.hostKey })
}

/** Defined, and with a disk. */
export function domainIn(state: SimulatedState, serverId: string): SimulatedDomain {
  const domain = state.domains[serverId]
  if (!domain) throw new HypervisorError('no such domain')
  if (!state.disks.some((disk) => disk.serverId === serverId)) throw new HypervisorError('the disk is missing')
  return domain
}

/** Its disk. */
export function diskIn(state: SimulatedState, serverId: string): SimulatedState['disks'][number] {
  const disk = state.disks.find((one) => one.serverId === serverId)
  if (!disk) throw new HypervisorError('the disk is missing')
  return disk
}

/** The same, and off. */
export function offDomainIn(state: SimulatedState, serverId: string): SimulatedDomain {
  const domain = domainIn(state, serverId)
  if (isOn(domain, Date.now())) throw new HypervisorError('the machine is on')
  return domain
}

/** Never shrinks. */
export function growDisk(state: SimulatedState, serverId: string, diskGb: number | null): void {
  const disk = state.disks.find((one) => one.serverId === serverId)
  if (disk && diskGb !== null) disk.diskGb = Math.max(disk.diskGb, diskGb)
}

/** All that is there of a server. */
export function findIn(state: SimulatedState, serverId: string, nowMs: number): Found {
  const domain = state.domains[serverId]
  const disk = state.disks.find((one) => one.serverId === serverId)
  const made = (all: { serverId: string; generation: Generation }[]) =>
    all.filter((one) => one.serverId === serverId).map((one) => one.generation)
  return {
    ...nothingFound,
    ...(domain && {
      power: isOn(domain, nowMs) ? 'on' : 'off',
      autostart: domain.autostart,
      definedBy: domain.generation,
      addresses: domain.addresses,
      outsidePorts: domain.outsidePorts,
      access: domain.access,
      size: {
        cpuCores: domain.cpuCores,
        memoryMb: domain.memoryMb,
        diskGb: disk?.diskGb ?? null,
      },
      ...bandwidthTold(domain),
      snapshots: disk?.snapshots.map(({ id }) => id) ?? [],
      revertedBy: domain.revertedBy ?? null,
      rescueId: domain.rescueId ?? null,
      iso: domain.iso ?? null,
    }),
    firewall: state.firewalls[serverId] ?? null,
    disks: made(state.disks),
    hasHalf: state.debris.some((one) => one.serverId === serverId),
    seeds: made(state.seeds),
    rescues: state.rescues.filter((one) => one.serverId === serverId).map(({ id }) => id),
  }
}
