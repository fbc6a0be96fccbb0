import type { ServerSpec } from './servers.js'

export const hostStatuses = ['ENROLLING', 'READY', 'DRAINING', 'MAINTENANCE', 'LOST', 'RETIRED'] as const
export type HostStatus = (typeof hostStatuses)[number]

/** A host as placement sees it: memory in MB, disk in GB, `cpuRoom` already with overcommit. Used includes what is releasing. */
export type HostRoom = {
  id: string
  status: HostStatus
  /** Seconds since the agent was last heard; null never. */
  silentSeconds: number | null
  cpuRoom: number
  memoryRoomMb: number
  diskRoomGb: number
  freeAddresses: number
  images: readonly string[]
}

/** An agent not heard for this long gets no new servers. */
export const livingAgentSeconds = 60

/** Whether one more server of this size, on this image, has room on the host. */
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

/**
 * Which host takes a server: of those with room, the one with the most memory left (spread), ties by id so that the
 * answer is the same everywhere. `avoid` lists hosts that were tried before. Null when there is no room.
 */
export function place(
  hosts: readonly HostRoom[],
  spec: ServerSpec,
  imageFile: string | null,
  avoid: readonly string[] = [],
) {
  return (
    hosts
      .filter((host) => !avoid.includes(host.id) && fits(host, spec, imageFile))
      .toSorted((a, b) => b.memoryRoomMb - a.memoryRoomMb || (a.id < b.id ? -1 : 1))[0] ?? null
  )
}
