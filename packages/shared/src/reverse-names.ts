import { isIpv6, parseNetwork } from './networks.js'
import * as states from './states.js'

/** PTR records, written to the operator's name server (decision 0109). */

/** `WAITING`: not yet written or removed; `FAILED`: the last try; another follows. */
export const reverseNameStates = ['NONE', 'WAITING', 'WRITTEN', 'FAILED'] as const
export type ReverseNameState = (typeof reverseNameStates)[number]
export const reverseNameStateNames: Record<ReverseNameState, string> = {
  NONE: states.notSet,
  WAITING: '待写入',
  WRITTEN: states.inForce,
  FAILED: '出错',
}

export const mostReverseZones = 100

/** How far the wish is. */
export function reverseNameState(row: {
  wanted: string | null
  written: string | null
  isDue: boolean
  error: string | null
}): ReverseNameState {
  if (row.isDue) return row.error === null ? 'WAITING' : 'FAILED'
  return row.wanted === null ? 'NONE' : 'WRITTEN'
}

/** A whole host name by RFC 1123, lower case without the last dot; null: none. Other scripts in ASCII form. */
export function readHostName(typed: string): string | null {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  const labels = name.split('.')
  const isName = labels.length >= 2 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  // A last label of digits would be an address.
  return isName && name.length <= 253 && !/^\d+$/.test(labels.at(-1) ?? '') ? name : null
}

/** `5.2.0.192.in-addr.arpa`, or 32 digits and `ip6.arpa`. Throws for no address. */
export function reverseNameOf(address: string): string {
  const network = parseNetwork(address)
  if (!network || network.bits !== 128) throw new Error('not an address')
  const digits = network.first.toString(16).padStart(32, '0')
  if (isIpv6(address)) return `${[...digits].toReversed().join('.')}.ip6.arpa`
  const octets = digits.slice(24).match(/../g) ?? []
  return `${octets
    .map((octet) => Number.parseInt(octet, 16))
    .toReversed()
    .join('.')}.in-addr.arpa`
}

/** Lower case without the last dot; null: none. */
export function readReverseZone(typed: string): string | null {
  const zone = typed.trim().toLowerCase().replace(/\.$/, '')
  if (/^([0-9a-f]\.){1,32}ip6\.arpa$/.test(zone)) return zone
  const [, part, octets] = /^(\d{1,3}[-/]\d{1,3}\.)?((?:\d{1,3}\.){1,4})in-addr\.arpa$/.exec(zone) ?? []
  if (octets === undefined || octets.split('.').some((octet) => Number(octet) > 255)) return null
  return part === undefined || partOf(zone) ? zone : null
}

/** In the zone with the longest name that holds it; null: none. */
export function placeOfReverseName(address: string, zones: readonly string[]): { zone: string; name: string } | null {
  const whole = reverseNameOf(address)
  const places = zones.flatMap((zone) => {
    const name = nameIn(zone, whole)
    return name === null ? [] : [{ zone, name }]
  })
  return places.toSorted((a, b) => b.zone.length - a.zone.length)[0] ?? null
}

function nameIn(zone: string, whole: string): string | null {
  const part = partOf(zone)
  if (!part) return whole === zone || whole.endsWith(`.${zone}`) ? whole : null
  const last = Number(whole.split('.')[0])
  const isIn = whole === `${last}.${part.around}` && part.first <= last && last <= part.last
  return isIn ? `${last}.${zone}` : null
}

/** Of less than 256 addresses (RFC 2317): `0/26.2.0.192.in-addr.arpa` or, by its ends, `0-63.2.0.192.in-addr.arpa`. */
function partOf(zone: string): { around: string; first: number; last: number } | null {
  const [, from, sign, to, around] = /^(\d{1,3})([-/])(\d{1,3})\.((?:\d{1,3}\.){3}in-addr\.arpa)$/.exec(zone) ?? []
  if (around === undefined) return null
  const first = Number(from)
  const last = sign === '-' ? Number(to) : first + 2 ** (32 - Number(to)) - 1
  return first < last && last <= 255 ? { around, first, last } : null
}
