import type { FirewallRule } from '@vps/shared/firewall'
import { expect, test } from 'vitest'
import { firewallScript, readScript } from './firewall-rules.js'

const serverId = '0198c0de-0000-7000-8000-00000000abcd'
const rule = (over: Partial<FirewallRule>): FirewallRule => ({
  direction: 'in',
  protocol: 'tcp',
  ports: null,
  remote: null,
  action: 'accept',
  note: 'never in the script"; drop',
  ...over,
})

test('rules come in their order, each direction ends with its policy, and known connections pass first', () => {
  const rules = [
    rule({ ports: { from: 22, to: 22 }, remote: '203.0.113.5' }),
    rule({ protocol: 'icmp', action: 'drop' }),
    rule({ protocol: 'any', remote: '2001:db8::/32', action: 'drop' }),
    rule({ direction: 'out', protocol: 'udp', ports: { from: 53, to: 99 }, remote: '10.0.0.0/8', action: 'drop' }),
    rule({ protocol: 'any' }),
  ]
  const script = firewallScript(serverId, 7, { enabled: true, inbound: 'drop', outbound: 'accept', rules })
  const chainOf = (name: string) =>
    new RegExp(`chain ${name} \\{(.*?)\\n  \\}`, 's').exec(script)?.[1]?.trim().split(/\n\s*/) ?? []
  const [known, ...kept] = chainOf('from_others')
  expect(known).toContain('return')
  expect(kept.slice(2)).toEqual([
    'ip saddr 203.0.113.5 tcp dport 22-22 return',
    'meta l4proto { icmp, ipv6-icmp } drop',
    'ip6 saddr 2001:db8::/32 drop',
    'return',
    'drop',
  ])
  expect(chainOf('from_machine').slice(3)).toEqual(['ip daddr 10.0.0.0/8 udp dport 53-99 drop', 'return'])
  expect(script).toContain('oifname "vps00000000abcd" jump from_others')
  expect(script).not.toContain('never in the script')
  expect(readScript(script)).toEqual({ revision: 7, enabled: true })
})

test('of a machine that its host routes to, the same rules hold about its addresses, past the bridge', () => {
  const rules = [rule({ ports: { from: 22, to: 22 } })]
  const firewall = { enabled: true, inbound: 'drop', outbound: 'accept', rules } as const
  const routed = ['10.77.0.2', 'fd00:77::2', 'fd00:77:7::/64']
  const table = 'table inet vps_fw_00000000abcd {'
  const script = firewallScript(serverId, 7, firewall, routed)
  expect(script.slice(script.indexOf(`${table}\n`))).toBe(`${table}
  chain from_others {
    ct state established,related return
    icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert } return
    tcp dport 22-22 return
    drop
  }
  chain from_machine {
    ct state established,related return
    icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert } return
    return
  }
  chain forward {
    type filter hook forward priority 0; policy accept;
    ip daddr { 10.77.0.2 } jump from_others
    ip saddr { 10.77.0.2 } jump from_machine
    ip6 daddr { fd00:77::2, fd00:77:7::/64 } jump from_others
    ip6 saddr { fd00:77::2, fd00:77:7::/64 } jump from_machine
  }
}
`)
  expect(firewallScript(serverId, 7, firewall)).not.toContain(`${table}\n`)
})

test('IPv6 that ends as IPv4 does is written as nft reads it: it refuses the whole set else', () => {
  const remotes = ['64:ff9b::203.0.113.5', '::1:10.0.0.255/128', '::ffff:1.2.3.4', '1.2.3.4/8']
  const rules = remotes.map((remote) => rule({ protocol: 'any', remote }))
  const script = firewallScript(serverId, 7, { enabled: true, inbound: 'drop', outbound: 'accept', rules })
  expect([...script.matchAll(/ip6? saddr (\S+)/g)].map(([, remote]) => remote)).toEqual([
    '64:ff9b::cb00:7105',
    '::1:a00:ff/128',
    '::ffff:102:304',
    '1.2.3.4/8',
  ])
})

test('one that is off takes the table away and keeps its revision', () => {
  const script = firewallScript(serverId, 8, { enabled: false, inbound: 'drop', outbound: 'drop', rules: [] })
  expect(script).toContain('delete table bridge vps_fw_00000000abcd')
  expect(script).not.toContain('hook')
  expect(readScript(script)).toEqual({ revision: 8, enabled: false })
  expect(readScript('table inet somebody')).toBeNull()
})
