import { expect, test } from 'vitest'
import { onlineStatus, powerNow, usageLevel } from './servers.js'

test('a usage of 60 is a warning and one of 80 an error', () => {
  expect([0, 59.9, 60, 79.9, 80, 100].map(usageLevel)).toEqual([
    'normal',
    'normal',
    'warning',
    'warning',
    'error',
    'error',
  ])
})

test('what was observed more than a minute ago, or never, is unknown and counts as offline', () => {
  const now = new Date('2025-06-01T00:00:00Z')
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  expect(powerNow('on', ago(60), now)).toBe('on')
  expect(powerNow('on', ago(61), now)).toBe('unknown')
  expect(powerNow('off', null, now)).toBe('unknown')
  expect((['on', 'off', 'unknown'] as const).map(onlineStatus)).toEqual(['ONLINE', 'OFFLINE', 'OFFLINE'])
})
