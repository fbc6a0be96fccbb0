import ipaddr from 'ipaddr.js'
import { type Guard, lines, portOf } from './guard-rules.js'

/**
 * What a guest may claim of IPv6 neighbours (RFC 4861, 4862), under either guard: those look at who sends, not at whose
 * address a message speaks of. One `nft` table for all machines with IPv6. Pure (decision 0018).
 */

export const noNeighbours = `table bridge vps_neighbours {}
delete table bridge vps_neighbours
`

/**
 * Replaces the old in one step. `routers`: link-local gateways of the host's pools, which are no guest's address. Begins
 * with them.
 */
export function neighbourScript(machines: Machines, routers: readonly string[]): string {
  const held = holdersOf(machines)
  if (held.length === 0) return `${head(routers)}${noNeighbours}`
  const jumps = held.map(({ port }) => `"${port}" : jump ${port}`)
  return `${head(routers)}${noNeighbours}table bridge vps_neighbours {
${held.map(chainsOf).join('')}  chain routers {
${lines(routersAlone(routers))}
  }
  chain from_guests {
    type filter hook prerouting priority -290; policy accept;
    iifname vmap { ${jumps.join(', ')} }
  }
}
`
}

/** Of machines with IPv6. */
export const neighbourPorts = (machines: Machines): ReadonlySet<string> =>
  new Set(holdersOf(machines).map(({ port }) => port))

/** Of a script we kept. */
export function routersIn(script: string): string[] {
  const [, routers = ''] = /^# routers (.*)\n/.exec(script) ?? []
  return routers.split(' ').filter((router) => router !== '')
}

type Machines = ReadonlyMap<string, Pick<Guard, 'addresses'>>

function holdersOf(machines: Machines): { port: string; own: string[] }[] {
  return [...machines].flatMap(([serverId, { addresses }]) => {
    const own = addresses.filter((address) => address.includes(':'))
    return own.length > 0 ? [{ port: portOf(serverId), own }] : []
  })
}

const head = (routers: readonly string[]) => `# routers ${routers.join(' ')}\n`

/** A solicitation from nobody looks whether an address is free: that of another, whose it would then not become. */
function chainsOf({ port, own }: { port: string; own: readonly string[] }): string {
  const networks = ['fe80::/64', ...own.filter((address) => address.includes('/'))]
  const single = own.filter((address) => !address.includes('/'))
  const returned = [
    `@th,64,64 { ${networks.map((network) => hex(network, 8)).join(', ')} } return`,
    ...(single.length > 0 ? [`@th,64,128 { ${single.map((address) => hex(address, 16)).join(', ')} } return`] : []),
  ]
  return `  chain ${port} {
${lines(['jump routers', `${advert} jump ${port}_own`, `ip6 saddr :: icmpv6 type nd-neighbor-solicit jump ${port}_own`])}
  }
  chain ${port}_own {
${lines([...returned, 'drop'])}
  }
`
}

const advert = 'icmpv6 type nd-neighbor-advert'

const routersAlone = (routers: readonly string[]): string[] => [
  'icmpv6 type nd-redirect drop',
  ...(routers.length > 0
    ? [
        `ip6 saddr { ${routers.join(', ')} } drop`,
        `${advert} @th,64,128 { ${routers.map((router) => hex(router, 16)).join(', ')} } drop`,
      ]
    : []),
]

/** The first bytes: the nft of Debian 12 has no word for a message's target, which comes 8 bytes into it. */
function hex(address: string, bytes: number): string {
  const [written = ''] = address.split('/')
  const all = ipaddr.IPv6.parse(written).toByteArray()
  return `0x${Buffer.from(all.slice(0, bytes)).toString('hex')}`
}
