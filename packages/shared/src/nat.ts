import { parseNetwork } from './networks.js'

/**
 * Machines behind one public address each have a block of its ports, computed from their own address: nothing is
 * stored, nothing handed out twice (decision 0116).
 */

export type NatPool = { outside: string; firstAddress: string; firstPort: number; ports: number }

export type PortBlock = { outside: string; firstPort: number; ports: number }

export const mostPortsEach = 1000
export const natPortRange = { min: 1024, max: 65_535 } as const

/** Of an address of the pool. */
export const portBlockOf = (address: string, { outside, firstAddress, firstPort, ports }: NatPool): PortBlock => ({
  outside,
  firstPort: firstPort + (placeOf(address) - placeOf(firstAddress)) * ports,
  ports,
})

/** The last port needed, up to this address. */
export function lastPortOf(lastAddress: string, pool: NatPool): number {
  const { firstPort, ports } = portBlockOf(lastAddress, pool)
  return firstPort + ports - 1
}

/** Where people reach SSH: there, or at its block's first port. */
export function reachOf(address: string, sshPort: number, pool: NatPool | null): { address: string; port: number } {
  if (!pool) return { address, port: sshPort }
  const { outside, firstPort } = portBlockOf(address, pool)
  return { address: outside, port: firstPort }
}

/** Whose block has the port, up to the pool's last; null: outside the pool. */
export function addressWithPort(port: number, lastAddress: string, { firstAddress, firstPort, ports }: NatPool) {
  const place = placeOf(firstAddress) + Math.floor((port - firstPort) / ports)
  return port < firstPort || place > placeOf(lastAddress) ? null : addressAt(place)
}

export type Reach = { address: string; port: number | null }

/** Null: none. Chinese keyboards type wide digits, colons and spaces. */
export function parseReach(text: string): Reach | null {
  const typed = text.normalize('NFKC').trim()
  const [, address = '', digits] = /^([\d.]+)(?:\s*:\s*(\d{1,5}))?$/.exec(typed) ?? []
  const port = digits === undefined ? null : Number(digits)
  if (!parseNetwork(address) || port === 0 || (port ?? 0) > natPortRange.max) return null
  return { address: addressAt(placeOf(address)), port }
}

/** Where outside ports lead; `tcpOnly`: no UDP. */
export type ForwardedPorts = { from: number; to: number; machinePort: number | 'same'; tcpOnly: boolean }

/** The first leads to SSH, others to themselves. */
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
