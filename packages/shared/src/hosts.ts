import type { PlacementStrategy } from './catalogue.js'
import type { FindingKind } from './findings.js'
import type { ServerSpec } from './servers.js'
import * as states from './states.js'

export const hostStatuses = ['ENROLLING', 'READY', 'DRAINING', 'MAINTENANCE', 'LOST', 'RETIRED'] as const
export type HostStatus = (typeof hostStatuses)[number]

export const hostStatusNames: Record<HostStatus, string> = {
  ENROLLING: '待接入',
  READY: states.available,
  DRAINING: '排空中',
  MAINTENANCE: '维护中',
  LOST: '已丢失',
  RETIRED: '已退役',
}

/** As a list of hosts is asked for: by status, or not heard any more while it should be. */
export const hostStates = [...hostStatuses, 'SILENT'] as const
export type HostState = (typeof hostStates)[number]
export const hostStateNames: Record<HostState, string> = { ...hostStatusNames, SILENT: '失联' }

/** By name, or those that somebody should look at first: silent, then with what ails them, then by name. */
export const hostOrders = ['name', 'care'] as const

/** Memory in MB, disk in GB, `cpuRoom` with overcommit; used includes releasing. */
export type HostRoom = {
  id: string
  status: HostStatus
  /** Null: never heard. */
  silentSeconds: number | null
  cpuRoom: number
  memoryRoomMb: number
  diskRoomGb: number
  freeAddresses: number
  images: readonly string[]
  /** The tenant's here already. */
  sameCustomer: number
}

/** Silent longer, it gets no new servers. */
export const livingAgentSeconds = 60

/** Whether one more of this size and image has room. */
export function fits(host: HostRoom, spec: ServerSpec, imageFile: string | null): boolean {
  return (
    host.status === 'READY' &&
    host.silentSeconds !== null &&
    host.silentSeconds <= livingAgentSeconds &&
    host.cpuRoom >= spec.cpuCores &&
    host.memoryRoomMb >= spec.memoryGb * 1024 &&
    host.diskRoomGb >= spec.storageGb &&
    host.freeAddresses >= spec.ipCount &&
    (imageFile === null || host.images.includes(imageFile))
  )
}

/** How many of this size have room. */
export const placesOn = (host: HostRoom, spec: ServerSpec, imageFile: string | null): number =>
  fits(host, spec, imageFile) ? placesLeft(host, spec) : 0

/**
 * Best first: fewest servers of the same customer (one host must not take all of somebody down); then most memory left
 * (spread) or least (pack); then by id. `avoid`: tried before.
 */
export function hostsFor<T extends HostRoom>(
  hosts: readonly T[],
  spec: ServerSpec,
  imageFile: string | null,
  { avoid = [], strategy = 'spread' }: { avoid?: readonly string[]; strategy?: PlacementStrategy } = {},
): T[] {
  const left = (a: T, b: T) =>
    strategy === 'spread' ? b.memoryRoomMb - a.memoryRoomMb : a.memoryRoomMb - b.memoryRoomMb
  const fitting = hosts.filter((host) => !avoid.includes(host.id) && fits(host, spec, imageFile))
  const fewest = Math.min(...fitting.map((host) => host.sameCustomer))
  return fitting.filter((host) => host.sameCustomer === fewest).toSorted((a, b) => left(a, b) || (a.id < b.id ? -1 : 1))
}

/** By room alone. */
export function placesLeft(
  host: Pick<HostRoom, 'cpuRoom' | 'memoryRoomMb' | 'diskRoomGb' | 'freeAddresses'>,
  spec: Omit<ServerSpec, 'bandwidthMbps'>,
): number {
  const fit = Math.min(
    host.cpuRoom / spec.cpuCores,
    host.memoryRoomMb / (spec.memoryGb * 1024),
    host.diskRoomGb / spec.storageGb,
    host.freeAddresses / spec.ipCount,
  )
  return Math.max(0, Math.floor(fit))
}

/** Younger hosts get no forecast. */
export const growthDays = 30
/** In `growthDays` days, less what went. */
export type HostGrowth = { servers: number; cpuCores: number; memoryMb: number; diskGb: number }

/** What it runs out of first, and in how many days at this pace; null: nothing grows. */
export function runsOut(
  host: Pick<HostRoom, 'cpuRoom' | 'memoryRoomMb' | 'diskRoomGb'>,
  growth: HostGrowth,
): { of: 'cpu' | 'memory' | 'disk'; days: number } | null {
  const kinds = [
    { of: 'cpu', room: host.cpuRoom, grown: growth.cpuCores },
    { of: 'memory', room: host.memoryRoomMb, grown: growth.memoryMb },
    { of: 'disk', room: host.diskRoomGb, grown: growth.diskGb },
  ] as const
  const [first] = kinds
    .filter(({ grown }) => grown > 0)
    .map(({ of, room, grown }) => ({ of, days: Math.floor((Math.max(0, room) / grown) * growthDays) }))
    .toSorted((a, b) => a.days - b.days)
  return first ?? null
}

/** The worst first. */
export const hostTroubleLevels = ['away', 'faulty', 'degraded'] as const
type HostTrouble = (typeof hostTroubleLevels)[number]

/** `away` can do nothing now, `faulty` takes nothing new. */
export const hostTroubles = {
  'libvirt-away': 'away',
  'network-away': 'away',
  'state-away': 'away',
  'storage-away': 'away',
  'outdated-agent': 'away',
  'newer-agent': 'away',
  'disk-full-domain': 'faulty',
  'io-error-domain': 'faulty',
  'no-kvm': 'faulty',
  'hung-domain': 'degraded',
  'no-address-guard': 'degraded',
  'no-bandwidth-limit': 'degraded',
  'no-port-forwarding': 'degraded',
  'no-bridge': 'degraded',
} as const satisfies Partial<Record<FindingKind, HostTrouble>>

/** By hand. ENROLLING and READY come from enrolment; LOST frees its places. */
export const hostMoves = [
  { from: 'READY', to: 'DRAINING' },
  { from: 'READY', to: 'MAINTENANCE' },
  { from: 'READY', to: 'LOST' },
  { from: 'DRAINING', to: 'READY' },
  { from: 'DRAINING', to: 'MAINTENANCE' },
  { from: 'DRAINING', to: 'LOST' },
  { from: 'DRAINING', to: 'RETIRED' },
  { from: 'MAINTENANCE', to: 'READY' },
  { from: 'MAINTENANCE', to: 'DRAINING' },
  { from: 'MAINTENANCE', to: 'LOST' },
  { from: 'MAINTENANCE', to: 'RETIRED' },
  { from: 'ENROLLING', to: 'RETIRED' },
  { from: 'LOST', to: 'RETIRED' },
] as const satisfies readonly { from: HostStatus; to: HostStatus }[]

export function canMoveHost(from: HostStatus, to: HostStatus): boolean {
  return hostMoves.some((move) => move.from === from && move.to === to)
}

/** Without KVM: by the words of its agent (`virsh.ts`). */
export const isEmulated = ({ hypervisorVersion }: { hypervisorVersion: string | null }): boolean =>
  hypervisorVersion?.includes('(qemu,') ?? false
