import type { Inventory } from '@vps/shared/agent.contract'
import type { FindingFacts } from '@vps/shared/finding-facts'
import type { findingKinds } from '@vps/shared/findings'
import type { Finding } from '../findings/findings.js'

export const serverOfVolume = /^([0-9a-f]{8}-[0-9a-f-]{27})\./

export type Seen = Pick<Finding, 'subject' | 'details'> & { kind: (typeof findingKinds.inventory)[number] }
/** `settled`: exactly as it was made. */
type Expected = {
  serverId: string
  generation: number
  earlierGeneration?: number | null
  mac: string | null
  cpuCores: number
  memoryMb: number
  /** A disk grown in a failed upgrade is counted. */
  leastDiskGb: number
  mostDiskGb: number
  bandwidthMbps: number
  snapshots: readonly { id: string; isMade: boolean }[]
  rescueId: string | null
  isoId: string | null
  /** The revision its host last told to hold. */
  firewall: number | null
  /** The one saved last; 0: none. */
  savedFirewall: number
  autostart: boolean | null
  settled: boolean | number | null
}

/** Unexplained, missing, or other than made. */
export function differences(inventory: Pick<Inventory, 'domains' | 'volumes'>, places: readonly Expected[]): Seen[] {
  const expected = new Map(places.map((place) => [place.serverId, place]))
  const domains = new Map(inventory.domains.map((domain) => [domain.uuid, domain]))
  const found: Seen[] = []
  for (const { uuid, name, power, unreadable, addresses = [] } of inventory.domains) {
    if (unreadable !== null) found.push({ kind: 'unreadable-domain', subject: uuid, details: { name, unreadable } })
    else if (expected.has(nameOwner(name)) && nameOwner(name) !== uuid)
      found.push({ kind: 'foreign-domain', subject: nameOwner(name), details: { uuid, name, power } })
    else if (!expected.has(uuid)) {
      const details: FindingFacts = { name, power, ...(addresses.length > 0 ? { addresses } : {}) }
      found.push({ kind: 'stray-domain', subject: uuid, details })
    }
  }
  for (const { name, bytes } of inventory.volumes) {
    const serverId = serverOfVolume.exec(name)?.[1]
    // A stray domain's disks go with it.
    if (serverId && (expected.has(serverId) || domains.has(serverId))) continue
    found.push({ kind: 'stray-volume', subject: name, details: { bytes } })
  }
  for (const place of places) {
    if (!place.settled) continue
    const domain = domains.get(place.serverId)
    if (!domain) found.push({ kind: 'missing-domain', subject: place.serverId, details: {} })
    else if (domain.unreadable === null) {
      const details = changeOf(domain, place)
      if (details) found.push({ kind: 'changed-domain', subject: place.serverId, details })
      if (domain.transient) found.push({ kind: 'transient-domain', subject: place.serverId, details: {} })
      else found.push(...otherwiseKept(domain, place))
    }
  }
  return found
}

const nameOwner = (name: string) => name.replace(/^vps-/, '')

function changeOf(domain: Inventory['domains'][number], place: Expected): FindingFacts | null {
  const number = domain.generation?.number
  if (number !== place.generation && (number === undefined || number !== place.earlierGeneration)) {
    return { generation: number ?? null, expected: place.generation }
  }
  if (place.mac !== null && !domain.macs.includes(place.mac)) return { macs: domain.macs, expected: place.mac }
  if (domain.renamed) return { name: domain.name }
  const { size, currentMemoryMb } = domain
  const hasTaken = currentMemoryMb !== undefined
  if (size && (hasTaken || size.cpuCores !== place.cpuCores || size.memoryMb !== place.memoryMb)) {
    return {
      ...size,
      ...(hasTaken ? { currentMemoryMb } : {}),
      expected: { cpuCores: place.cpuCores, memoryMb: place.memoryMb },
    }
  }
  const { bandwidthMbps } = domain
  if (bandwidthMbps && Object.values(bandwidthMbps).some((rate) => rate !== place.bandwidthMbps)) {
    return { bandwidthMbps, expected: place.bandwidthMbps }
  }
  return null
}

/** What a new definition does not mend. */
function otherwiseKept(domain: Inventory['domains'][number], place: Expected): Seen[] {
  const { diskGb, diskMissing, otherDisk, autostart, snapshots, rescueId, isoId, firewall = 0 } = domain
  const found: Seen[] = []
  // Above what was saved: from before a restored back-up.
  if (firewall < (place.firewall ?? 0) || firewall > place.savedFirewall) {
    const details: FindingFacts = { firewall, expected: place.firewall ?? 0 }
    found.push({ kind: 'changed-firewall', subject: place.serverId, details })
  }
  if (rescueId !== undefined && rescueId !== place.rescueId) {
    const details: FindingFacts = { rescueId, expected: place.rescueId }
    found.push({ kind: 'changed-rescue', subject: place.serverId, details })
  }
  if (isoId !== undefined && isoId !== place.isoId) {
    found.push({ kind: 'changed-iso', subject: place.serverId, details: { isoId, expected: place.isoId } })
  }
  const others = snapshots && snapshotsOtherThan(place.snapshots, snapshots)
  if (others) found.push({ kind: 'changed-snapshots', subject: place.serverId, details: others })
  if (diskMissing) found.push({ kind: 'changed-disk', subject: place.serverId, details: { isThere: false } })
  else if (otherDisk !== undefined) {
    found.push({ kind: 'changed-disk', subject: place.serverId, details: { file: otherDisk } })
  } else if (diskGb !== undefined && (diskGb < place.leastDiskGb || diskGb > place.mostDiskGb)) {
    const details: FindingFacts = { diskGb, expected: place.mostDiskGb }
    found.push({ kind: 'changed-disk', subject: place.serverId, details })
  }
  if (autostart !== undefined && place.autostart !== null && autostart !== place.autostart) {
    const details: FindingFacts = { autostart, expected: place.autostart }
    found.push({ kind: 'changed-autostart', subject: place.serverId, details })
  }
  return found
}

function snapshotsOtherThan(rows: Expected['snapshots'], there: readonly string[]): FindingFacts | null {
  const missing = rows.filter(({ id, isMade }) => isMade && !there.includes(id)).map(({ id }) => id)
  const unknown = there.filter((one) => !rows.some(({ id }) => id === one))
  return missing.length + unknown.length > 0 ? { missing, unknown } : null
}
