import type { MachineDescription } from '@vps/shared/jobs.contract'
import { forwardsOf } from '@vps/shared/nat'
import { outsidePortsOf } from '../hypervisor.js'
import { addressesOf } from './domain-xml.js'
import { lines, portOf } from './guard-rules.js'

/**
 * A machine behind a shared address as an `nft` script: a table of family `ip` each. Its ports lead to it from outside,
 * the host and other machines; what it sends elsewhere comes from the shared address. Pure (decision 0116).
 */

/** The table's name. */
export const natTable = (serverId: string): string => portOf(serverId).replace('vps', 'vps_nat_')

/** Begins with its machine's addresses and outside ports; replaces the old in one step. Null without any. */
export function natScript(serverId: string, machine: MachineDescription): string | null {
  const shared = machine.network.addresses.flatMap(({ nat, ...own }) => (nat ? [{ ...own, ...nat }] : []))
  if (shared.length === 0) return null
  const inward = shared.flatMap(({ address, outside, ...block }) =>
    forwardsOf(block, machine.sshPort).flatMap(({ from, to, machinePort, tcpOnly }) =>
      (tcpOnly ? ['tcp'] : ['tcp', 'udp']).map(
        (protocol) =>
          `ip daddr ${outside} ${protocol} dport ${from}-${to} dnat to ${address}${machinePort === 'same' ? '' : `:${machinePort}`}`,
      ),
    ),
  )
  const outward = shared.flatMap(({ address, prefix, outside }) => {
    const network = `${address}/${prefix}`
    return [
      `ip saddr ${address} ip daddr != ${network} snat to ${outside}`,
      // A neighbour that came by the outside address is answered the same way.
      `ip saddr ${network} ip daddr ${address} ct status dnat snat to ${outside}`,
    ]
  })
  return `# machine ${addressesOf(machine).join(' ')}
# ports ${outsidePortsOf(machine).join(' ')}
${noNatScript(serverId)}table ip ${natTable(serverId)} {
  chain to_machine {
${lines(inward)}
  }
  chain prerouting {
    type nat hook prerouting priority -100; policy accept;
    jump to_machine
  }
  chain output {
    type nat hook output priority -100; policy accept;
    jump to_machine
  }
  chain postrouting {
    type nat hook postrouting priority 100; policy accept;
${lines(outward)}
  }
}
`
}

/** Whether it is there or not. */
export function noNatScript(serverId: string): string {
  const table = natTable(serverId)
  return `table ip ${table} {}
delete table ip ${table}
`
}

/** Of a script we kept; null for another text. */
export function readNat(script: string): { machine: string[]; ports: string[] } | null {
  const [, machine, ports] = /^# machine (.+)\n# ports (.+)\n/.exec(script) ?? []
  return machine === undefined || ports === undefined ? null : { machine: machine.split(' '), ports: ports.split(' ') }
}

/** One of each kind, to ask a host whether it takes them. */
export const sampleNat = `table ip vps_nat_probe {
  chain postrouting {
    type nat hook postrouting priority 100; policy accept;
    ip saddr 192.0.2.0/24 ip daddr 192.0.2.2 ct status dnat snat to 198.51.100.1
  }
  chain prerouting {
    type nat hook prerouting priority -100; policy accept;
    ip daddr 198.51.100.1 tcp dport 20000-20000 dnat to 192.0.2.2:22
  }
}
`
