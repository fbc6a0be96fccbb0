/**
 * What others name (an image's address, a dedicated server) must not lead to loopback, link-local, private and such
 * addresses, unless a setting says so.
 */

/** `bits`: leading bits of 128 that are fixed. */
export type Network = { first: bigint; bits: number }

/** IPv4 among IPv6 (::ffff:0:0/96). */
const mapped = 0xffff_0000_0000n
const low32 = 0xffff_ffffn

/** All but the open internet (RFC 6890 and its registries); IPv4 ranges hold for mapped addresses, too. */
const internal = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b:1::/48',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
].map((text) => parseNetwork(text)!)

/** What demo and tests may reach. */
export const loopback: readonly Network[] = ['127.0.0.0/8', '::1/128'].map((text) => parseNetwork(text)!)

/** On the internet or in an allowed network; false for no address. */
export function mayReach(address: string, allowed: readonly Network[]): boolean {
  const bits = bitsOf(address)
  if (bits === null) return false
  const candidates = [bits, ...embedded(bits)]
  return candidates.every((one) => !isIn(one, internal) || isIn(one, allowed))
}

/** Whatever else is wrong with it. */
export const isIpv6 = (text: string): boolean => text.includes(':')

/** `10.0.0.0/8` or a single address; null: neither. */
export function parseNetwork(text: string): Network | null {
  const [address = '', prefix] = text.trim().split('/')
  const first = bitsOf(address)
  if (first === null || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null
  const width = address.includes(':') ? 128 : 32
  const bits = 128 - width + (prefix === undefined ? width : Number(prefix))
  return bits > 128 ? null : { first, bits }
}

const isIn = (address: bigint, networks: readonly Network[]) =>
  networks.some(({ first, bits }) => (address ^ first) >> BigInt(128 - bits) === 0n)

/** Where NAT64 (64:ff9b::/96) and 6to4 (2002::/16) lead. */
function embedded(address: bigint): bigint[] {
  if (address >> 32n === 0x64_ff9b_0000_0000_0000_0000n) return [mapped | (address & low32)]
  if (address >> 112n === 0x2002n) return [mapped | ((address >> 80n) & low32)]
  return []
}

/** 128 bits, IPv4 as mapped; null: no address. */
function bitsOf(address: string): bigint | null {
  const v4 = ipv4Bits(address)
  return v4 === null ? ipv6Bits(address) : mapped | v4
}

function ipv4Bits(address: string): bigint | null {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

function ipv6Bits(address: string): bigint | null {
  const [whole = ''] = address.split('%') // a zone says only through which card
  const halves = whole.split('::')
  if (halves.length > 2 || !whole.includes(':')) return null
  const [head, tail] = [groupsOf(halves[0] ?? ''), groupsOf(halves[1] ?? '')]
  if (head === null || tail === null) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  return [...head, ...Array<bigint>(missing).fill(0n), ...tail].reduce((bits, group) => (bits << 16n) | group, 0n)
}

function groupsOf(text: string): bigint[] | null {
  if (text === '') return []
  const groups: bigint[] = []
  for (const part of text.split(':')) {
    const v4 = part.includes('.') ? ipv4Bits(part) : null
    if (v4 !== null) groups.push(v4 >> 16n, v4 & 0xffffn)
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return null
  }
  return groups
}
