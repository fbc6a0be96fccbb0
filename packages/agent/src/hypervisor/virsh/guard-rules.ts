import { isIPv6 } from 'node:net'
import { elementAt, elementsAt, ensureElement, ourNote, readXml, writeXml } from './xml.js'

/**
 * What a guest may send, for nwfilter and nftables: frames with its own MAC, from its addresses, ARP about itself. Else
 * a neighbour can answer for a machine being installed. Pure.
 */
export type GuardKind = 'nwfilter' | 'nftables'
/** `addresses`: with prefixes. Null: the definition says nothing. */
export type Guard = { mac: string; addresses: string[]; port: string | null; filter: string | null }

const portPrefix = 'vps'

/** At most 15 characters; the random part of a server's id is its end. */
export function portOf(serverId: string): string {
  return portPrefix + serverId.slice(-12)
}

/** Of a chain of `nft`, with their indent. */
export const lines = (rules: readonly string[]) => rules.map((rule) => `    ${rule}`).join('\n')

export const isOurPort = (port: string): boolean => /^vps[0-9a-f]{12}$/.test(port)

/** UUIDs: defining them again is the same act. */
export const filters = [
  { name: 'vps-guard-ipv4', uuid: 'c0bd97a6-3a30-4f93-a7f5-4a1ba8f10004', families: ['ip'] },
  { name: 'vps-guard-ipv6', uuid: 'c0bd97a6-3a30-4f93-a7f5-4a1ba8f10006', families: ['ipv6'] },
  { name: 'vps-guard-dual', uuid: 'c0bd97a6-3a30-4f93-a7f5-4a1ba8f10046', families: ['ip', 'ipv6'] },
  { name: 'vps-guard-ipv6-prefix', uuid: 'c0bd97a6-3a30-4f93-a7f5-4a1ba8f10064', families: ['ipv6', 'prefix'] },
  { name: 'vps-guard-dual-prefix', uuid: 'c0bd97a6-3a30-4f93-a7f5-4a1ba8f10464', families: ['ip', 'ipv6', 'prefix'] },
] as const

type Family = (typeof filters)[number]['families'][number]

/** A prefix stands beside an address in it, so that all that comes has a filter. */
function familyOf(address: string): Family {
  return address.includes('/') ? 'prefix' : isIPv6(address) ? 'ipv6' : 'ip'
}

function filterOf(addresses: readonly string[]): string {
  const wanted = new Set(addresses.map(familyOf))
  const found = filters.find(
    ({ families }) => families.length === wanted.size && families.every((one) => wanted.has(one)),
  )
  if (!found) throw new Error(`no filter for ${addresses.join(' ')}`)
  return found.name
}

/** A filter as libvirt takes it. */
export function filterXml({ name, uuid, families }: (typeof filters)[number]): string {
  const rules = {
    ip: [
      rule('drop', 150, "<arp match='no' arpsrcmacaddr='$MAC'/>"),
      rule('accept', 200, "<arp arpsrcipaddr='$IP'/>"),
      // Who asks whether an address is free, as that of another, keeps that one from taking it (RFC 5227).
      rule('accept', 200, "<arp arpsrcipaddr='0.0.0.0' arpdstipaddr='$IP'/>"),
      rule('accept', 200, "<ip srcipaddr='$IP'/>"),
    ],
    ipv6: [
      rule('drop', 150, "<ipv6 protocol='icmpv6' type='134'/>"),
      rule('accept', 200, "<ipv6 srcipaddr='$IP6'/>"),
      rule('accept', 200, "<ipv6 srcipaddr='::' srcipmask='128'/>"),
      rule('accept', 200, "<ipv6 srcipaddr='fe80::' srcipmask='64'/>"),
    ],
    // Pools know this length alone.
    prefix: [rule('accept', 200, "<ipv6 srcipaddr='$PREFIX6' srcipmask='64'/>")],
  }
  return `<filter name='${name}' chain='root'>
  <uuid>${uuid}</uuid>
${[
  rule('drop', 100, "<mac match='no' srcmacaddr='$MAC'/>"),
  ...families.flatMap((family) => rules[family]),
  rule('drop', 900, '<mac/>'),
].join('\n')}
</filter>
`
}

function rule(action: 'accept' | 'drop', priority: number, match: string): string {
  return `  <rule action='${action}' direction='out' priority='${priority}'>${match}</rule>`
}

const parameterNames = { ip: 'IP', ipv6: 'IP6', prefix: 'PREFIX6' }

/** For a machine's interface. */
export function filterRef(addresses: readonly string[]): string {
  const parameters = addresses.map((address) => {
    const [value] = address.split('/')
    return `<parameter name='${parameterNames[familyOf(address)]}' value='${value}'/>`
  })
  return `<filterref filter='${filterOf(addresses)}'>${parameters.join('')}</filterref>`
}

/** Whether a definition guards its machine as it should. */
export function isGuarded(serverId: string, guard: Guard, addresses: readonly string[], kind: GuardKind): boolean {
  const same = guard.port === portOf(serverId) && guard.addresses.join(' ') === addresses.join(' ')
  return same && (kind === 'nftables' || guard.filter === filterOf(addresses))
}

/** As libvirt prints it, with its guard (null: the host has none); from the next start. */
export function guardedXml(
  xml: string,
  serverId: string,
  addresses: readonly string[],
  kind: GuardKind | null,
): string {
  const domain = readXml(xml)
  const port = elementAt(domain, 'devices/interface')
  for (const old of ['target', 'filterref'].flatMap((name) => elementsAt(port, name))) port.removeChild(old)
  const parts = [`<target dev='${portOf(serverId)}'/>`, ...(kind === 'nwfilter' ? [filterRef(addresses)] : [])]
  for (const part of parts) port.appendChild(readXml(part))
  ourNote(domain)?.setAttribute('addresses', addresses.join(' '))
  return writeXml(domain)
}

/**
 * A running machine's port with another filter, as libvirt may take it, in turn: it does not print one queue, and
 * refuses another number. None without a filter.
 */
export function refilteredPorts(xml: string, addresses: readonly string[]): string[] {
  const port = elementAt(readXml(xml), 'devices/interface')
  const [old] = elementsAt(port, 'filterref')
  if (!old) return []
  port.replaceChild(readXml(filterRef(addresses)), old)
  const printed = writeXml(port)
  const driver = ensureElement(port, 'driver')
  if (driver.hasAttribute('queues')) return [printed]
  driver.setAttribute('queues', '1')
  return [printed, writeXml(port)]
}

const nftTable = 'vps_guard'

export const noTable = `table bridge ${nftTable} {}
delete table bridge ${nftTable}
`

/** `nft -f` replaces the table in one step. Traffic on unnamed ports of ours is dropped. */
export function nftRules(machines: ReadonlyMap<string, Pick<Guard, 'mac' | 'addresses'>>): string {
  const entries = [...machines].map(([serverId, guard]) => ({ port: portOf(serverId), ...guard }))
  const chains = entries.map(({ port, mac, addresses }) => {
    const of = (family: Family) => addresses.filter((address) => familyOf(address) === family)
    const [four, six, prefixes] = [of('ip'), of('ipv6'), of('prefix')]
    return [
      `  chain ${port} {`,
      `    ether saddr != ${mac} drop`,
      ...(four.length > 0
        ? [
            `    arp saddr ether ${mac} arp saddr ip { ${four.join(', ')} } accept`,
            `    arp saddr ether ${mac} arp saddr ip 0.0.0.0 arp daddr ip { ${four.join(', ')} } accept`,
            `    ip saddr { ${four.join(', ')} } accept`,
          ]
        : []),
      ...(six.length > 0
        ? [`    icmpv6 type nd-router-advert drop`, `    ip6 saddr { ::, fe80::/64, ${six.join(', ')} } accept`]
        : []),
      ...(prefixes.length > 0 ? [`    ip6 saddr { ${prefixes.join(', ')} } accept`] : []),
      '    drop',
      '  }',
    ].join('\n')
  })
  const jumps = entries.map(({ port }) => `"${port}" : goto ${port}`)
  return `${noTable}table bridge ${nftTable} {
${[...chains, ''].join('\n')}  chain from_guests {
    type filter hook prerouting priority -300; policy accept;
${jumps.length > 0 ? `    iifname vmap { ${jumps.join(', ')} }\n` : ''}    iifname "${portPrefix}*" drop
  }
}
`
}
