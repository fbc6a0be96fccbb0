import { parseNetwork } from './networks.js'

/**
 * Shared addresses: the machines behind one public address each have a block of its ports (decision 0116). Which one
 * follows from the machine's own address alone: nothing is written down, so nothing can be handed out twice.
 */

/** What a pool says of it; `firstAddress` has the first block. */
export type NatPool = { outside: string; firstAddress: string; firstPort: number; ports: number }

/** The ports of an outside address that are one machine's. */
export type PortBlock = { outside: string; firstPort: number; ports: number }

export const mostPortsEach = 1000
export const natPortRange = { min: 1024, max: 65_535 } as const

/** Of one of the pool's addresses. */
export const portBlockOf = (address: string, { outside, firstAddress, firstPort, ports }: NatPool): PortBlock => ({
  outside,
  firstPort: firstPort + (placeOf(address) - placeOf(firstAddress)) * ports,
  ports,
})

/** The last port that a pool needs, up to this address. */
export function lastPortOf(lastAddress: string, pool: NatPool): number {
  const { firstPort, ports } = portBlockOf(lastAddress, pool)
  return firstPort + ports - 1
}

/** Where people reach SSH at a machine's address: there, or at the first port of its block. */
export function reachOf(address: string, sshPort: number, pool: NatPool | null): { address: string; port: number } {
  if (!pool) return { address, port: sshPort }
  const { outside, firstPort } = portBlockOf(address, pool)
  return { address: outside, port: firstPort }
}

/** The address whose block has a port, of a pool's up to its last one; null where the pool does not have the port. */
export function addressWithPort(port: number, lastAddress: string, { firstAddress, firstPort, ports }: NatPool) {
  const place = placeOf(firstAddress) + Math.floor((port - firstPort) / ports)
  return port < firstPort || place > placeOf(lastAddress) ? null : addressAt(place)
}

/** An IPv4 address as people copy it, with a port or without. */
export type Reach = { address: string; port: number | null }

/** Null for what is none. Chinese keyboards type wide digits, colons and spaces. */
export function parseReach(text: string): Reach | null {
  const typed = text.normalize('NFKC').trim()
  const [, address = '', digits] = /^([\d.]+)(?:\s*:\s*(\d{1,5}))?$/.exec(typed) ?? []
  const port = digits === undefined ? null : Number(digits)
  if (!parseNetwork(address) || port === 0 || (port ?? 0) > natPortRange.max) return null
  return { address: addressAt(placeOf(address)), port }
}

/** Ports of the outside address and where they lead in the machine; `tcp` alone, or UDP as well. */
export type ForwardedPorts = { from: number; to: number; machinePort: number | 'same'; tcpOnly: boolean }

/** The first port leads to SSH, wherever the machine has it; every other one to itself. */
export function forwardsOf({ firstPort, ports }: Omit<PortBlock, 'outside'>, sshPort: number): ForwardedPorts[] {
  const login = { from: firstPort, to: firstPort, machinePort: sshPort, tcpOnly: true }
  const others = { from: firstPort + 1, to: firstPort + ports - 1, machinePort: 'same', tcpOnly: false } as const
  return ports > 1 ? [login, others] : [login]
}

function placeOf(address: string): number {
  const network = parseNetwork(address)
  if (!network) throw new Error('not an address')
  return Number(network.first & 0xffff_ffffn)
}

const addressAt = (place: number): string => [24, 16, 8, 0].map((bits) => Math.floor(place / 2 ** bits) % 256).join('.')
