import type { Inventory } from '@vps/shared/agent.contract'
import type { Generation } from '@vps/shared/jobs'
import type { SimulatedSettings } from '../../config.js'
import { counter, wave } from './figures.js'
import { isOn, type SimulatedDomain, type SimulatedState } from './state.js'

export const builtInImages = [
  'debian-12.qcow2',
  'ubuntu-24.04.qcow2',
  'ubuntu-22.04.qcow2',
  'centos-stream-9.qcow2',
  'rocky-9.qcow2',
  'tiny.qcow2',
  'rescue.qcow2',
  'debian-12-netinst.iso',
  'systemrescue-11.iso',
]

/** For the inventory. */
export function withBuiltIn(files: Inventory['images']): Inventory['images'] {
  const here = new Set(files.map(({ file }) => file))
  const builtIn = builtInImages.filter((file) => !here.has(file))
  return [...files, ...builtIn.map((file) => ({ file, bytes: 400 * 1024 * 1024, sha256: null, broken: null }))]
}

/** Of a disk. */
export function diskTold(state: SimulatedState, serverId: string): { diskGb?: number; snapshots?: string[] } {
  const disk = state.disks.find((one) => one.serverId === serverId)
  return disk ? { diskGb: disk.diskGb, snapshots: disk.snapshots.map(({ id }) => id) } : {}
}

/** Nothing of one there from the beginning. */
export function bandwidthTold({ bandwidthMbps }: SimulatedDomain) {
  return bandwidthMbps === undefined ? {} : { bandwidthMbps: { inbound: bandwidthMbps, outbound: bandwidthMbps } }
}

/** Nothing of one that never had any. */
export function firewallTold({ firewalls }: SimulatedState, serverId: string): { firewall?: number } {
  const firewall = firewalls[serverId]
  return firewall === undefined ? {} : { firewall }
}

/** Of files. */
export function volumesOf(state: SimulatedState): { name: string; bytes: number }[] {
  return [
    ...state.disks.map((disk) => ({
      name: `${disk.serverId}.${stamp(disk.generation)}.qcow2`,
      bytes: disk.diskGb * 1024 ** 3,
    })),
    ...state.seeds.map((seed) => ({ name: `${seed.serverId}.${stamp(seed.generation)}.seed.iso`, bytes: 366_592 })),
    ...state.rescues.map(({ serverId, id }) => ({ name: `${serverId}.${id}.rescue.qcow2`, bytes: 196_608 })),
    ...state.debris.map(({ name }) => ({ name, bytes: 196_608 })),
  ]
}

/** By the generation that made it. */
export function stamp({ epoch, number }: Generation): string {
  return `${epoch}.${number}`
}

/** At this moment. */
export function measure(state: SimulatedState, nowMs: number) {
  return Object.entries(state.domains).map(([serverId, domain]) => {
    const on = isOn(domain, nowMs)
    const seconds = on && domain.startedAtMs !== null ? Math.floor((nowMs - domain.startedAtMs) / 1000) : null
    return {
      serverId,
      power: on ? ('on' as const) : ('off' as const),
      cpuUsage: on ? wave(serverId, 'cpu', nowMs, 2, 75) : null,
      memoryUsage: on ? wave(serverId, 'memory', nowMs, 20, 80) : null,
      diskUsage: on ? wave(serverId, 'disk', nowMs / 50, 10, 60) : null,
      condition: null,
      uptimeSeconds: seconds,
      rxBytes: seconds === null ? null : counter(serverId, 'rx', seconds),
      txBytes: seconds === null ? null : counter(serverId, 'tx', seconds),
    }
  })
}

/** At this moment. */
export function measureHost(settings: SimulatedSettings, state: SimulatedState, nowMs: number) {
  const share = (used: number, of: number) => Math.min(100, Math.round((1000 * used) / of) / 10)
  const running = Object.values(state.domains).filter((domain) => isOn(domain, nowMs))
  const cpuUsage = Math.min(
    100,
    wave('host', 'cpu', nowMs, 8, 28) +
      share(running.reduce((sum, one) => sum + one.cpuCores, 0) * 0.4, settings.cpuCores),
  )
  return {
    cpuUsage: Math.round(cpuUsage * 10) / 10,
    memoryUsage: Math.min(
      100,
      wave('host', 'memory', nowMs, 36, 42) +
        share(
          running.reduce((sum, one) => sum + one.memoryMb, 0),
          settings.memoryMb,
        ),
    ),
    diskUsage: Math.min(
      100,
      12 +
        share(
          state.disks.reduce((sum, disk) => sum + disk.diskGb, 0),
          settings.diskGb,
        ),
    ),
    load1: Math.round(cpuUsage * settings.cpuCores) / 100,
  }
}
