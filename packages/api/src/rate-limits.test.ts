import { expect, test } from 'vitest'
import { addressBlock, plainAddress } from './rate-limits.js'

test('whoever left before the address was read, as in the middle of a handshake, has none and is no fault', () => {
  // Node's socket then has no address, though Fastify's types promise one.
  expect(plainAddress(undefined)).toBe('::')
  expect(addressBlock(plainAddress(undefined))).toBe('::/64')
})
