import { expect, test } from 'vitest'
import { protocolRefusal, servedProtocols } from './agent.js'

test('an API serves its own protocol and the one before, and refuses what is older or newer', () => {
  expect([2, 3, 4, 5, 6, 7].map((protocol) => protocolRefusal(protocol, 5))).toEqual([
    'PROTOCOL_TOO_OLD',
    'PROTOCOL_TOO_OLD',
    null,
    null,
    'PROTOCOL_TOO_NEW',
    'PROTOCOL_TOO_NEW',
  ])
})

test('what is told to be served is what is not refused', () => {
  for (const spoken of [1, 2, 5]) {
    const some = Array.from({ length: spoken + 2 }, (_, before) => before + 1)
    expect(servedProtocols(spoken)).toEqual(some.filter((protocol) => protocolRefusal(protocol, spoken) === null))
  }
})
