import { expect, test } from 'vitest'
import { filterRef, filters, filterXml, guardedXml, isGuarded, nftRules, noTable, portOf } from './guard-rules.js'
import { refilteredPorts } from './guard-rules.js'

const serverId = '0198c0de-0000-7000-8000-00000000abcd'
const [four, six] = ['10.77.0.2', '2001:db8::2']
const definition = `<domain type='kvm'>
  <metadata>
    <vps:server xmlns:vps='urn:vps-portal:server' epoch='1' number='2' address='10.77.0.2'/>
  </metadata>
  <devices>
    <interface type='bridge'>
      <mac address='52:54:00:77:00:02'/>
      <source bridge='br0'/>
      <target dev='vnet7'/>
      <model type='virtio'/>
    </interface>
  </devices>
</domain>`

test('a port’s name fits into what Linux allows, and tells servers apart by the end of their id, which is chance', () => {
  expect(portOf(serverId)).toBe('vps00000000abcd')
  expect(portOf(serverId)).toHaveLength(15)
  expect(portOf('0198c0de-0000-7000-8000-00000000abce')).not.toBe(portOf(serverId))
})

test('each filter drops frames of another sender first, and everything that nothing allowed last', () => {
  for (const filter of filters) {
    const rules = [...filterXml(filter).matchAll(/action='(\w+)' direction='(\w+)' priority='(\d+)'>(.*)<\/rule>/g)]
    const [first, last] = [rules[0], rules.at(-1)]
    expect(first?.slice(1)).toEqual(['drop', 'out', '100', "<mac match='no' srcmacaddr='$MAC'/>"])
    expect(last?.slice(1)).toEqual(['drop', 'out', '900', '<mac/>'])
    expect(rules.every(([, , direction]) => direction === 'out')).toBe(true)
    const priorities = rules.map(([, , , priority]) => Number(priority))
    expect([Math.min(...priorities), Math.max(...priorities)]).toEqual([100, 900])
    expect(priorities.filter((priority) => priority === 900)).toHaveLength(1)
  }
})

test('only the filters with IPv6 in them speak of it, and those drop router advertisements before they accept anything', () => {
  const [ipv4, ipv6, dual, ipv6Prefix, dualPrefix] = filters.map(filterXml)
  expect(ipv4).not.toContain('ipv6')
  expect(ipv4).toContain("<arp arpsrcipaddr='$IP'/>")
  expect(ipv4).toContain("<arp arpsrcipaddr='0.0.0.0' arpdstipaddr='$IP'/>")
  expect(ipv6).not.toContain("<ip srcipaddr='$IP'/>")
  for (const text of [ipv6, dual, ipv6Prefix, dualPrefix]) {
    const advertised = text?.indexOf("<ipv6 protocol='icmpv6' type='134'/>") ?? -1
    expect(advertised).toBeGreaterThan(0)
    expect(advertised).toBeLessThan(text?.indexOf("<ipv6 srcipaddr='$IP6'/>") ?? 0)
  }
  for (const text of [dual, dualPrefix]) {
    expect(text).toContain("<ip srcipaddr='$IP'/>")
    expect(text).toContain("<ipv6 srcipaddr='$IP6'/>")
  }
  const prefixed = [ipv4, ipv6, dual, ipv6Prefix, dualPrefix].map((text) => text?.includes('$PREFIX6'))
  expect(prefixed).toEqual([false, false, false, true, true])
})

test('defining the filters again is the same act: each has a fixed UUID of its own', () => {
  const ids = filters.map((filter) => /<uuid>(.*)<\/uuid>/.exec(filterXml(filter))?.[1])
  expect(new Set(ids).size).toBe(filters.length)
  expect(ids).toEqual(filters.map(({ uuid }) => uuid))
})

test.each([
  { addresses: [four], filter: 'vps-guard-ipv4', parameters: ["<parameter name='IP' value='10.77.0.2'/>"] },
  { addresses: [six], filter: 'vps-guard-ipv6', parameters: ["<parameter name='IP6' value='2001:db8::2'/>"] },
  {
    addresses: [four, '10.77.0.3', six],
    filter: 'vps-guard-dual',
    parameters: [
      "<parameter name='IP' value='10.77.0.2'/>",
      "<parameter name='IP' value='10.77.0.3'/>",
      "<parameter name='IP6' value='2001:db8::2'/>",
    ],
  },
  {
    addresses: [four, '2001:db8:0:7::1', '2001:db8:0:7::/64'],
    filter: 'vps-guard-dual-prefix',
    parameters: [
      "<parameter name='IP' value='10.77.0.2'/>",
      "<parameter name='IP6' value='2001:db8:0:7::1'/>",
      "<parameter name='PREFIX6' value='2001:db8:0:7::'/>",
    ],
  },
  {
    addresses: ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    filter: 'vps-guard-ipv6-prefix',
    parameters: [
      "<parameter name='IP6' value='2001:db8:0:7::1'/>",
      "<parameter name='PREFIX6' value='2001:db8:0:7::'/>",
    ],
  },
])('a machine with $addresses refers to $filter with all of them', ({ addresses, filter, parameters }) => {
  expect(filterRef(addresses)).toBe(`<filterref filter='${filter}'>${parameters.join('')}</filterref>`)
})

test('a definition guards when port, addresses and filter are those that it should have; nftables needs no filter', () => {
  const good = { mac: '52:54:00:77:00:02', addresses: [four], port: portOf(serverId), filter: 'vps-guard-ipv4' }
  expect(isGuarded(serverId, good, [four], 'nwfilter')).toBe(true)
  expect(isGuarded(serverId, { ...good, filter: null }, [four], 'nwfilter')).toBe(false)
  expect(isGuarded(serverId, { ...good, filter: null }, [four], 'nftables')).toBe(true)
  expect(isGuarded(serverId, { ...good, filter: 'vps-guard-dual' }, [four], 'nwfilter')).toBe(false)
  expect(isGuarded(serverId, { ...good, port: 'vnet7' }, [four], 'nftables')).toBe(false)
  expect(isGuarded(serverId, { ...good, port: null }, [four], 'nftables')).toBe(false)
  expect(isGuarded(serverId, { ...good, addresses: [] }, [four], 'nftables')).toBe(false)
  expect(isGuarded(serverId, good, [four, six], 'nftables')).toBe(false)
})

test('a definition gets the port, the filter and the addresses that it lacks, and keeps everything else', () => {
  const guarded = guardedXml(definition, serverId, [four, six], 'nwfilter').replaceAll('"', "'")
  expect(guarded).toContain(`<target dev='${portOf(serverId)}'/>${filterRef([four, six])}</interface>`)
  expect(guarded).not.toContain('vnet7')
  expect(guarded).toContain(`address='10.77.0.2' addresses='10.77.0.2 2001:db8::2'/>`)
  for (const kept of ["<mac address='52:54:00:77:00:02'/>", "<source bridge='br0'/>", "<model type='virtio'/>"])
    expect(guarded).toContain(kept)
})

test('guarding a guarded definition again changes nothing, and another kind or other addresses replace what was there', () => {
  const first = guardedXml(definition, serverId, [four], 'nwfilter')
  const bare = (xml: string) => xml.replaceAll(/>\s+</g, '><')
  expect(bare(guardedXml(first, serverId, [four], 'nwfilter'))).toBe(bare(first))
  const without = guardedXml(first, serverId, [four], 'nftables')
  expect(without).not.toContain('filterref')
  const moved = guardedXml(first, serverId, ['10.77.0.9'], 'nwfilter').replaceAll('"', "'")
  expect(moved.match(/filterref filter/g)).toHaveLength(1)
  expect(moved.match(/addresses='[^']*'/g)).toEqual(["addresses='10.77.0.9'"])
})

test('a filter that libvirt prints without parameters, closing itself, is replaced too', () => {
  const self = definition.replace("<model type='virtio'/>", "<model type='virtio'/><filterref filter='clean-traffic'/>")
  const guarded = guardedXml(self, serverId, [four], 'nwfilter')
  expect(guarded).not.toContain('clean-traffic')
  expect(guarded.match(/<filterref/g)).toHaveLength(1)
})

test('a machine without an interface, or with two, is not guessed about', () => {
  const none = definition.replace(/<interface.*<\/interface>/s, '')
  const two = definition.replace('</devices>', "<interface type='network'></interface></devices>")
  for (const xml of [none, two])
    expect(() => guardedXml(xml, serverId, [four], 'nwfilter')).toThrow('devices/interface is')
})

test('a running port gets another filter, with the one queue that libvirt does not print', () => {
  const guarded = guardedXml(definition, serverId, [four], 'nwfilter')
  const [printed, otherwise, ...more] = refilteredPorts(guarded, [four, '10.77.0.3'])
  for (const xml of [printed, otherwise]) expect(xml).toContain('value="10.77.0.3"')
  expect([printed?.includes('queues'), otherwise?.includes('queues="1"'), more]).toEqual([false, true, []])
  const two = guarded.replace('</interface>', "<driver queues='2'/></interface>")
  expect(refilteredPorts(two, [four])).toHaveLength(1)
  expect(refilteredPorts(guardedXml(definition, serverId, [four], 'nftables'), [four])).toEqual([])
})

test('the table drops what comes from a port of ours that it does not name, and is replaced in one step', () => {
  const rules = nftRules(new Map())
  expect(rules.startsWith(noTable)).toBe(true)
  expect(rules).toContain('iifname "vps*" drop')
  expect(rules).not.toContain('vmap')
})

test('in the table every machine may send from its MAC and addresses alone', () => {
  const other = '0198c0de-0000-7000-8000-00000000beef'
  const rules = nftRules(
    new Map([
      [serverId, { mac: '52:54:00:77:00:02', addresses: [four, six] }],
      [other, { mac: '52:54:00:77:00:03', addresses: ['10.77.0.3'] }],
    ]),
  )
  const chainOf = (port: string) =>
    new RegExp(`chain ${port} \\{(.*?)\\n  \\}`, 's').exec(rules)?.[1]?.trim().split(/\n\s*/)
  expect(chainOf(portOf(serverId))).toEqual([
    'ether saddr != 52:54:00:77:00:02 drop',
    'arp saddr ether 52:54:00:77:00:02 arp saddr ip { 10.77.0.2 } accept',
    'arp saddr ether 52:54:00:77:00:02 arp saddr ip 0.0.0.0 arp daddr ip { 10.77.0.2 } accept',
    'ip saddr { 10.77.0.2 } accept',
    'icmpv6 type nd-router-advert drop',
    'ip6 saddr { ::, fe80::/64, 2001:db8::2 } accept',
    'drop',
  ])
  expect(chainOf(portOf(other))).not.toContainEqual(expect.stringContaining('ip6'))
  expect(rules).toContain(
    `iifname vmap { "vps00000000abcd" : goto vps00000000abcd, "vps00000000beef" : goto vps00000000beef }`,
  )
})
