import { expect, it } from 'vitest'
import { barsOf } from './bars'

it('draws each day once, in its place, the shorter the less there was, and what nobody measured as a stub', () => {
  const bars = new Map(barsOf(['none', 'good', 'minor', 'major', 'good']))
  expect(bars.get('none')).toBe('M0 28h2v4h-2z')
  expect(bars.get('good')).toBe('M3 0h2v32h-2zM12 0h2v32h-2z')
  expect(bars.get('minor')).toBe('M6 8h2v24h-2z')
  expect(bars.get('major')).toBe('M9 16h2v16h-2z')
})
