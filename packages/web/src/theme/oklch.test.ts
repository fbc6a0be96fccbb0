import { describe, expect, test } from 'vitest'
import { contrast, hue, mix, moveLightness } from './oklch'

describe('contrast', () => {
  test('is what WCAG says of black, white and the grey between', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#123456', '#123456')).toBe(1)
  })

  test('is the same both ways', () => {
    expect(contrast('#4f46e5', '#f6f7fb')).toBe(contrast('#f6f7fb', '#4f46e5'))
  })
})

describe('a colour painted on another', () => {
  test.each([
    [0, '#102030'],
    [0.5, '#889098'],
    [1, '#ffffff'],
  ])('with a share of %s', (share, seen) => {
    expect(mix('#102030', '#ffffff', share)).toBe(seen)
  })
})

describe('a colour that is moved until it can be read', () => {
  const readable = (ground: string) => (colour: string) => contrast(colour, ground) >= 4.5

  test('stays as it is where it can be read already', () => {
    expect(moveLightness('#1a1f33', 'darker', readable('#ffffff'))).toBe('#1a1f33')
  })

  test.each([
    ['#ffb000', 'darker', '#ffffff'],
    ['#7c3aed', 'lighter', '#0e1018'],
    ['#00c2a8', 'darker', '#f6f7fb'],
  ] as const)('%s becomes %s, fits on %s, and keeps its hue', (colour, direction, ground) => {
    const moved = moveLightness(colour, direction, readable(ground))
    expect(contrast(moved, ground)).toBeGreaterThanOrEqual(4.5)
    const turned = Math.abs(hue(moved) - hue(colour))
    expect(Math.min(turned, 360 - turned)).toBeLessThan(3)
  })

  test('that can never be read ends at black or at white', () => {
    expect(moveLightness('#808080', 'darker', () => false)).toBe('#000000')
    expect(moveLightness('#808080', 'lighter', () => false)).toBe('#ffffff')
  })
})
