import { lastPortOf, natPortRange } from '@vps/shared/nat'
import type { PoolInput } from '@vps/shared/pools.contract'
import * as text from '@vps/shared/text'
import ipaddr from 'ipaddr.js'
import { fail } from '../errors.js'

const mostAddresses = 4096

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]
const bad = (field: string, message: string): never => fail('INVALID_INPUT', { message, errors: { [field]: message } })

/** Machines with a shared address go out through it. */
export function needGateway({ gateway }: Pick<PoolInput, 'gateway'>): void {
  if (gateway === null) bad('gateway', 'NAT 池须填写网关：宿主机在网桥上的地址')
}

function checkPorts({ nat }: PoolInput, first: string, last: string): void {
  if (nat === null) return
  const pool = { outside: nat.address, firstAddress: first, firstPort: nat.firstPort, ports: nat.ports }
  const lastPort = lastPortOf(last, pool)
  if (lastPort > natPortRange.max)
    bad('nat.ports', `端口不够：网段需要用到端口 ${lastPort}，最大为 ${natPortRange.max}，请减少端口数或地址`)
}

/** Of the network's family; it may lie outside, but where nobody can be, it was mistyped. */
export function checkGateway(gateway: string, [base, prefix]: Cidr): void {
  if (!ipaddr.isValid(gateway) || ipaddr.parse(gateway).kind() !== base.kind()) bad('gateway', '网关格式不正确')
  if (base.kind() === 'ipv6' || prefix > 30) return
  const [at, start] = [toNumber(ipaddr.parse(gateway)), toNumber(base)]
  if (at === start || at === start + (1n << BigInt(32 - prefix)) - 1n)
    bad('gateway', '网关不能是网段的网络地址或广播地址')
}

/** What `addresses` has for it: itself, or its prefix's first. */
export function handedOutWith(address: string, machinePrefix: number | null): string {
  const parsed = ipaddr.parse(address)
  if (machinePrefix === null) return parsed.toNormalizedString()
  const size = 1n << BigInt(128 - machinePrefix)
  return toAddress((toNumber(parsed) / size) * size + 1n, 128)
}

/** The network, or its part from first to last, for machines: an address each, or the first of their prefixes. */
export function addressesIn(input: PoolInput): string[] {
  const { network, gateway, firstAddress, lastAddress, machinePrefix, nat } = input
  if (!ipaddr.isValidCIDR(network)) return bad('network', text.badNetwork)
  const [base, prefix] = ipaddr.parseCIDR(network)
  const bits = base.kind() === 'ipv4' ? 32 : 128
  const start = toNumber(base)
  const size = 1n << BigInt(bits - prefix)
  if (start % size !== 0n) return bad('network', '网段的主机位必须为0')
  if (nat !== null && base.kind() === 'ipv6') return bad('network', 'NAT 池只能使用 IPv4 网段')
  if (nat !== null) needGateway(input)
  if (gateway !== null) checkGateway(gateway, [base, prefix])
  if (machinePrefix !== null && base.kind() === 'ipv4') return bad('machinePrefix', '只有 IPv6 网段可以按前缀分配')
  if (machinePrefix !== null && prefix >= machinePrefix) return bad('network', '按 /64 分配的网段须大于 /64')
  const each = machinePrefix === null ? 1n : 1n << BigInt(bits - machinePrefix)
  const edge = (field: string, address: string | null, otherwise: bigint): bigint => {
    if (address === null) return otherwise
    if (!ipaddr.isValid(address) || ipaddr.parse(address).kind() !== base.kind()) return bad(field, text.badIpAddress)
    const value = toNumber(ipaddr.parse(address))
    return value >= start && value < start + size ? value : bad(field, '地址不在网段内')
  }
  // The first is the network's (IPv6: the subnet router's, or its first prefix), IPv4's last the broadcast.
  const lowest = start + each
  const highest = base.kind() === 'ipv4' ? start + size - 2n : start + size - 1n
  // Prefixes are whole.
  const first = ceil(max(lowest, edge('firstAddress', firstAddress, lowest)), each)
  const wanted = edge('lastAddress', lastAddress, highest)
  if (wanted < first + each - 1n) return bad('lastAddress', '结束地址不能小于起始地址')
  const last = wanted < highest ? wanted : highest
  const count = (last - first + 1n) / each
  // The ranges are wide: a part that reaches into one has an end in it.
  if ([first, last].some((end) => isForNobody(ipaddr.parse(toAddress(end, bits)))))
    return bad('network', '网段中有不能分配给服务器的地址')
  checkPorts(input, firstAddress ?? toAddress(lowest, bits), lastAddress ?? toAddress(highest, bits))
  // Of a whole IPv6 network the first ones.
  const endless = base.kind() === 'ipv6' && lastAddress === null
  if (!endless && count > mostAddresses) return bad('network', `最多包含 ${mostAddresses} 个地址，请填写起始和结束地址`)
  const found = Array.from({ length: Math.min(Number(count), mostAddresses) }, (_, n) =>
    toAddress(first + BigInt(n) * each + (machinePrefix === null ? 0n : 1n), bits),
  )
  const ofGateway = gateway === null ? null : handedOutWith(gateway, machinePrefix)
  const without = found.filter((address) => address !== ofGateway)
  return without.length > 0 ? without : bad('network', '网段中没有可用的地址')
}

/** RFC 6890: no machine answers to it on a network of its own. */
function isForNobody(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isFuture = address.kind() === 'ipv4' && toNumber(address) >> 28n === 15n
  return isFuture || ['loopback', 'linkLocal', 'multicast', 'unspecified', 'broadcast'].includes(address.range())
}

const ceil = (value: bigint, step: bigint) => ((value + step - 1n) / step) * step
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const toNumber = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address.toByteArray().reduce((value, byte) => value * 256n + BigInt(byte), 0n)
const toAddress = (value: bigint, bits: number) => {
  const bytes = Array.from({ length: bits / 8 }, (_, index) => Number((value >> BigInt(bits - 8 * (index + 1))) & 255n))
  return ipaddr.fromByteArray(bytes).toNormalizedString()
}
