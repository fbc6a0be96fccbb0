import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressWithPort,
  forwardsOf,
  lastPortOf,
  mostPortsEach,
  natPortRange,
  parseReach,
  portBlockOf,
  reachOf,
  type NatPool,
} from './nat.js'

const pool: NatPool = { outside: '203.0.113.7', firstAddress: '10.66.0.2', firstPort: 20_000, ports: 20 }
const addressAt = (place: number) => [24, 16, 8, 0].map((bits) => Math.floor(place / 2 ** bits) % 256).join('.')

test('the first address has the first block, the next the next', () => {
  expect(portBlockOf('10.66.0.2', pool)).toEqual({ outside: '203.0.113.7', firstPort: 20_000, ports: 20 })
  expect(portBlockOf('10.66.1.1', pool).firstPort).toBe(20_000 + 255 * 20)
  expect(lastPortOf('10.66.0.3', pool)).toBe(20_039)
})

test('people reach a machine at its own address and port, or at the first port of its block', () => {
  expect(reachOf('10.66.0.3', 2222, pool)).toEqual({ address: '203.0.113.7', port: 20_020 })
  expect(reachOf('192.0.2.3', 2222, null)).toEqual({ address: '192.0.2.3', port: 2222 })
})

test('the first port leads to SSH wherever it is, by TCP alone; the others to themselves', () => {
  expect(forwardsOf(portBlockOf('10.66.0.3', pool), 2222)).toEqual([
    { from: 20_020, to: 20_020, machinePort: 2222, tcpOnly: true },
    { from: 20_021, to: 20_039, machinePort: 'same', tcpOnly: false },
  ])
  expect(forwardsOf({ firstPort: 20_000, ports: 1 }, 22)).toHaveLength(1)
})

const pools = fc
  .record({
    first: fc.integer({ min: 1, max: 2 ** 32 - 5000 }),
    count: fc.integer({ min: 2, max: 4096 }),
    ports: fc.integer({ min: 1, max: mostPortsEach }),
    firstPort: fc.integer(natPortRange),
  })
  .map(({ first, count, ...each }) => ({
    count,
    first,
    pool: { outside: '203.0.113.7', firstAddress: addressAt(first), ...each },
  }))
  .filter(({ first, count, pool: made }) => lastPortOf(addressAt(first + count - 1), made) <= natPortRange.max)

test('blocks of a pool never overlap, and none leaves its range', () => {
  fc.assert(
    fc.property(pools, fc.nat(), fc.nat(), ({ first, count, pool: made }, one, other) => {
      const [n, m] = [one % count, other % count].toSorted((a, b) => a - b) as [number, number]
      const [low, high] = [n, m].map((place) => portBlockOf(addressAt(first + place), made))
      const forwarded = [low, high].flatMap((block) => forwardsOf(block!, 22))
      for (const { from, to } of forwarded) {
        expect(from).toBeGreaterThanOrEqual(made.firstPort)
        expect(to).toBeLessThanOrEqual(lastPortOf(addressAt(first + count - 1), made))
        expect(to).toBeLessThanOrEqual(natPortRange.max)
      }
      if (n === m) expect(low).toEqual(high)
      else expect(low!.firstPort + low!.ports).toBeLessThanOrEqual(high!.firstPort)
    }),
  )
})

test('every port of a pool is found at the address whose block has it, and no other port', () => {
  fc.assert(
    fc.property(pools, fc.nat(), fc.nat(), ({ first, count, pool: made }, place, nth) => {
      const [address, last] = [addressAt(first + (place % count)), addressAt(first + count - 1)]
      const { firstPort, ports } = portBlockOf(address, made)
      expect(addressWithPort(firstPort + (nth % ports), last, made)).toBe(address)
      expect(addressWithPort(made.firstPort - 1, last, made)).toBeNull()
      expect(addressWithPort(lastPortOf(last, made) + 1, last, made)).toBeNull()
    }),
  )
})

test.each([
  ['203.0.113.7:20022', '203.0.113.7', 20_022],
  [' 203.0.113.7 ： 20022　', '203.0.113.7', 20_022],
  ['２０３.0.113.7:1', '203.0.113.7', 1],
  ['203.0.113.7', '203.0.113.7', null],
  ['203.0.113.007:22', '203.0.113.7', 22],
])('%j is read as address and port', (text, address, port) => {
  expect(parseReach(text)).toEqual({ address, port })
})

test.each([
  '1.2.3.4:99999',
  '1.2.3.4:0',
  '1.2.3.4:',
  '1.2.3.4:2:3',
  '1.2.3.4:2a',
  '1.2.3.4/24',
  '1.2.3.256:22',
  '1.2.3:22',
  ':22',
  '2001:db8::7',
  '::ffff:1.2.3.4',
  '',
  'server-1',
])('%j is no address with a port', (text) => expect(parseReach(text)).toBeNull())
