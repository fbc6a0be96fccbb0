import { isIPv6 } from 'node:net'
import type { Firewall, FirewallDirection, FirewallRule } from '@vps/shared/firewall'
import { lines, portOf } from './guard-rules.js'

/**
 * A customer's rules as an `nft` script: a table per machine, for its port on the bridge. Only frames bridged from port
 * to port meet them, not the host's own traffic, such as its proof of a login. Pure (decision 0102).
 */

/** Stock kernels know connections of bridged frames by br_netfilter, which tells the family `inet`. */
export const stateTable = 'vps_state'
/** A bit of the frame's mark: of a connection let through. */
const known = '0x01000000'

/** The table's name. */
export const firewallTable = (serverId: string): string => portOf(serverId).replace('vps', 'vps_fw_')

/**
 * Its revision is in the first line; replaces the old in one step, and when off leaves nothing. `routed`: addresses
 * that the host routes, past the bridge's `forward` (decision 0116).
 */
export function firewallScript(
  serverId: string,
  revision: number,
  firewall: Firewall,
  routed: readonly string[] = [],
): string {
  const table = firewallTable(serverId)
  const port = portOf(serverId)
  return `${head(revision, firewall.enabled)}${noFirewallScript(serverId)}${
    firewall.enabled
      ? `${stateScript}table bridge ${table} {
${chain('in', firewall, bridged)}
${chain('out', firewall, bridged)}
  chain forward {
    type filter hook forward priority 0; policy accept;
    oifname "${port}" jump from_others
    iifname "${port}" jump from_machine
  }
}
${routed.length > 0 ? routedScript(table, firewall, routed) : ''}`
      : ''
  }`
}

/** Whether it is there or not. */
export function noFirewallScript(serverId: string): string {
  const table = firewallTable(serverId)
  return `table bridge ${table} {}
delete table bridge ${table}
table inet ${table} {}
delete table inet ${table}
`
}

/** By address: ports are the machine's by now, and the host's own traffic is not here. */
function routedScript(table: string, firewall: Firewall, routed: readonly string[]): string {
  const families = [
    { name: 'ip', addresses: routed.filter((address) => !isSix(address)) },
    { name: 'ip6', addresses: routed.filter(isSix) },
  ].filter(({ addresses }) => addresses.length > 0)
  const jumps = families.flatMap(({ name, addresses }) => [
    `    ${name} daddr { ${addresses.join(', ')} } jump from_others`,
    `    ${name} saddr { ${addresses.join(', ')} } jump from_machine`,
  ])
  return `table inet ${table} {
${chain('in', firewall, routedAlways)}
${chain('out', firewall, routedAlways)}
  chain forward {
    type filter hook forward priority 0; policy accept;
${jumps.join('\n')}
  }
}
`
}

const isSix = (address: string) => isIPv6(address.split('/')[0] ?? '')

const head = (revision: number, enabled: boolean) => `# revision ${revision} ${enabled ? 'on' : 'off'}\n`

/** Of a script we kept; null for another text. */
export function readScript(script: string): { revision: number; enabled: boolean } | null {
  const [, revision, enabled] = /^# revision (\d+) (on|off)\n/.exec(script) ?? []
  return revision === undefined ? null : { revision: Number(revision), enabled: enabled === 'on' }
}

const stateScript = `table inet ${stateTable} {}
delete table inet ${stateTable}
table inet ${stateTable} {
  chain prerouting {
    type filter hook prerouting priority -140; policy accept;
    meta iifkind "bridge" ct state established,related meta mark set meta mark | ${known}
  }
}
`

/** Without ARP and neighbour discovery there is no network; the address guard looks after those. */
const discovery = 'icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert } return'
const bridged = [`meta mark & ${known} == ${known} return`, 'ether type arp return', discovery]
const routedAlways = ['ct state established,related return', discovery]

function chain(direction: FirewallDirection, firewall: Firewall, always: readonly string[]): string {
  const rules = firewall.rules.filter((rule) => rule.direction === direction).map(ruleText)
  const [name, policy] =
    direction === 'in' ? (['from_others', firewall.inbound] as const) : (['from_machine', firewall.outbound] as const)
  return [`  chain ${name} {`, lines([...always, ...rules, verdict(policy)]), '  }'].join('\n')
}

function ruleText({ direction, protocol, ports, remote, action }: FirewallRule): string {
  const side = direction === 'in' ? 'saddr' : 'daddr'
  const of = {
    any: '',
    tcp: ports ? `tcp dport ${ports.from}-${ports.to}` : 'meta l4proto tcp',
    udp: ports ? `udp dport ${ports.from}-${ports.to}` : 'meta l4proto udp',
    icmp: 'meta l4proto { icmp, ipv6-icmp }',
  }[protocol]
  const from = remote === null ? '' : isSix(remote) ? `ip6 ${side} ${inHex(remote)}` : `ip ${side} ${remote}`
  return [from, of, verdict(action)].filter((part) => part !== '').join(' ')
}

/** nft does not read `64:ff9b::203.0.113.5`. */
const inHex = (six: string) =>
  six.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })

/** A frame let through by one machine may be another's. */
const verdict = (action: Firewall['inbound']) => (action === 'accept' ? 'return' : 'drop')
