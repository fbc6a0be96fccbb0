import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forwardsOf, lastPortOf, mostPortsEach, natPortRange, portBlockOf, reachOf, type NatPool } from './nat.js'

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

/** Pools whose ports fit, as commands and the database let them be made. */
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
