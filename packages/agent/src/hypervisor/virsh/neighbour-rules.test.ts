import { expect, test } from 'vitest'
import { neighbourPorts, neighbourScript, noNeighbours, routersIn } from './neighbour-rules.js'

const serverId = '0198c0de-0000-7000-8000-00000000abcd'
const prefixed = '0198c0de-0000-7000-8000-00000000beef'
const machines = new Map([
  [serverId, { addresses: ['10.77.0.2', '2001:db8::2', '2001:db8::ffff:3'] }],
  ['0198c0de-0000-7000-8000-00000000f00d', { addresses: ['10.77.0.3'] }],
  [prefixed, { addresses: ['2001:db8:0:7::1', '2001:db8:0:7::/64'] }],
])
const chainOf = (script: string, name: string) =>
  new RegExp(`chain ${name} \\{(.*?)\\n  \\}`, 's').exec(script)?.[1]?.trim().split(/\n\s*/)

test('a machine advertises its own addresses, any of its prefix, and link-local ones; it looks whether those are free', () => {
  const script = neighbourScript(machines, [])
  expect(chainOf(script, 'vps00000000abcd')).toEqual([
    'jump routers',
    'icmpv6 type nd-neighbor-advert jump vps00000000abcd_own',
    'ip6 saddr :: icmpv6 type nd-neighbor-solicit jump vps00000000abcd_own',
  ])
  expect(chainOf(script, 'vps00000000abcd_own')).toEqual([
    '@th,64,64 { 0xfe80000000000000 } return',
    '@th,64,128 { 0x20010db8000000000000000000000002, 0x20010db80000000000000000ffff0003 } return',
    'drop',
  ])
  expect(chainOf(script, 'vps00000000beef_own')).toEqual([
    '@th,64,64 { 0xfe80000000000000, 0x20010db800000007 } return',
    '@th,64,128 { 0x20010db8000000070000000000000001 } return',
    'drop',
  ])
})

test('nobody speaks as a link-local router, and nobody redirects', () => {
  expect(chainOf(neighbourScript(machines, []), 'routers')).toEqual(['icmpv6 type nd-redirect drop'])
  expect(chainOf(neighbourScript(machines, ['fe80::1', 'fe80::2']), 'routers')).toEqual([
    'icmpv6 type nd-redirect drop',
    'ip6 saddr { fe80::1, fe80::2 } drop',
    'icmpv6 type nd-neighbor-advert @th,64,128 { 0xfe800000000000000000000000000001, 0xfe800000000000000000000000000002 } drop',
  ])
})

test('machines without IPv6, which send none, are not in it; where all are, there is no table', () => {
  expect([...neighbourPorts(machines)]).toEqual(['vps00000000abcd', 'vps00000000beef'])
  const script = neighbourScript(machines, [])
  expect(script).toContain(
    'iifname vmap { "vps00000000abcd" : jump vps00000000abcd, "vps00000000beef" : jump vps00000000beef }',
  )
  expect(script).not.toContain('f00d')
  expect(neighbourScript(new Map([[serverId, { addresses: ['10.77.0.2'] }]]), [])).toBe(`# routers \n${noNeighbours}`)
})

test.each([[[]], [['fe80::1']], [['fe80::1', 'fe80::2']]])(
  'an agent finds the routers %j again in what it kept',
  (routers) => {
    expect(routersIn(neighbourScript(machines, routers))).toEqual(routers)
    expect(routersIn(neighbourScript(new Map(), routers))).toEqual(routers)
  },
)

test('another file tells of no routers', () => {
  expect(routersIn('')).toEqual([])
  expect(routersIn(noNeighbours)).toEqual([])
})
