import { expect, test } from 'vitest'
import { figure, movementOf, parseDomain, parseList, parseStats, powerOf } from './parse.js'
import { memoryUsage } from './measure.js'

const stats = `Domain: 'vps-0198c0de-0000-7000-8000-000000000001'
  state.state=1
  state.reason=1
  cpu.time=2450000000
  vcpu.current=2
  balloon.available=478836
  balloon.usable=430952
  net.count=1
  net.0.name=vnet0
  net.0.rx.bytes=3872

Domain: 'somebody''s own'
  state.state=5
`

test('figures are read per domain', () => {
  const domains = parseStats(stats)
  const [first, second] = [...domains.values()]
  expect([...domains.keys()]).toEqual(['vps-0198c0de-0000-7000-8000-000000000001', "somebody''s own"])
  expect(figure(first, 'net.0.rx.bytes')).toBe(3872)
  expect(first?.get('net.0.name')).toBe('vnet0')
  expect(figure(second, 'cpu.time')).toBeNull()
  expect([powerOf(first), powerOf(second)]).toEqual(['on', 'off'])
  expect(first && memoryUsage(first)).toBe(10)
})

test('a guest has moved when its disk was asked or its network was sent to, not when it was sent something or burned CPU', () => {
  const at = (change: Record<string, number>) =>
    movementOf(new Map(Object.entries({ 'block.0.rd.reqs': 5, 'net.0.tx.pkts': 1, 'net.0.rx.pkts': 9, ...change })))
  expect(at({ 'net.0.rx.pkts': 90, 'cpu.time': 7 })).toBe(at({}))
  expect(at({ 'block.0.rd.reqs': 6 })).not.toBe(at({}))
  expect(at({ 'net.0.tx.pkts': 2 })).not.toBe(at({}))
  expect(movementOf(new Map([['state.state', 1]]))).toBeNull()
  // The host counts a hung QEMU's packets.
  expect(movementOf(new Map([['net.0.tx.pkts', 1]]))).toBeNull()
})

test.each([
  [1, 'on'],
  [2, 'on'],
  [3, 'unknown'],
  [4, 'on'],
  [5, 'off'],
  [6, 'off'],
  [7, 'unknown'],
])('state %i is %s', (state, power) => {
  expect(powerOf(new Map([['state.state', state]]))).toBe(power)
})

test('no figures mean that the power is unknown', () => {
  expect(powerOf(undefined)).toBe('unknown')
})

test('a list of domains is read, names with spaces too', () => {
  expect(
    parseList('0198c0de-0000-7000-8000-000000000001 vps-1\n6a1f0000-0000-4000-8000-000000000002 my own one\n\n'),
  ).toEqual([
    { uuid: '0198c0de-0000-7000-8000-000000000001', name: 'vps-1' },
    { uuid: '6a1f0000-0000-4000-8000-000000000002', name: 'my own one' },
  ])
})

test('a machine that is not ours has no generation and no access', () => {
  const foreign = `<domain type='kvm'><name>x</name><metadata/><devices><disk type='file' device='disk'><source file='/x'/><target dev='vda'/></disk></devices></domain>`
  expect(parseDomain(foreign)).toEqual({
    generation: null,
    access: null,
    guard: null,
    bandwidthMbps: { inbound: 0, outbound: 0 },
    diskPath: '/x',
    revertedBy: null,
    rescueId: null,
    iso: null,
    macs: [],
    drive: null,
    medium: null,
  })
})

test('metadata of others that looks like ours is not ours, and is no reason to fail', () => {
  const foreign = `<domain type='kvm'><metadata><x:server xmlns:x='urn:x'><x:rack><x:unit>7</x:unit></x:rack></x:server></metadata><devices><emulator>q</emulator></devices></domain>`
  expect(parseDomain(foreign)).toMatchObject({ generation: null, access: null })
})

test('metadata of others beside ours hides nothing of it', () => {
  const ours = `<vps:server xmlns:vps='urn:vps-portal:server' epoch='1' number='3' address='10.0.0.1' port='22' username='root' readiness='ssh'/>`
  const theirs = `<x:server xmlns:x='urn:x'/>`
  for (const metadata of [ours + theirs, theirs + ours])
    expect(parseDomain(`<domain><metadata>${metadata}</metadata></domain>`)).toMatchObject({
      generation: { epoch: 1, number: 3 },
      access: { address: '10.0.0.1', port: 22 },
    })
})

test('a definition that is broken off is no definition', () => {
  expect(() => parseDomain('<domain><metadata>')).toThrow(/unclosed|end/i)
})

test('processors and memory that somebody took by hand are not what the machine has', () => {
  const taken = `<domain><memory unit='KiB'>2097152</memory><currentMemory unit='KiB'>1048576</currentMemory><vcpu current='1'>4</vcpu></domain>`
  expect(parseDomain(taken)).toMatchObject({ size: { cpuCores: 1, memoryMb: 2048 }, currentMemoryMb: 1024 })
})
