import { describe, expect, it } from 'vitest'
import { contrast } from './oklch'
import { paletteOf, roleNames, type Mode } from './palette'
import { presetNames } from './presets'

const modes: Mode[] = ['light', 'dark']
const combinations = presetNames.flatMap((preset) => modes.map((mode) => ({ preset, mode })))

describe('all 20 theme combinations', () => {
  it('are ten presets in two modes', () => {
    expect(combinations).toHaveLength(20)
  })

  it.each(combinations)('$preset $mode: text reaches 4.5:1 on every ground it can lie on', ({ preset, mode }) => {
    const { neutral, roles } = paletteOf(mode, preset)
    const grounds = { page: neutral.page, surface: neutral.surface, raised: neutral.raised, sunken: neutral.sunken }
    for (const [name, ground] of Object.entries({ ...grounds, tint: roles.primary.tint })) {
      for (const text of ['text', 'text2', 'text3'] as const) {
        expect(contrast(neutral[text], ground), `${text} on ${name}`).toBeGreaterThanOrEqual(4.5)
      }
    }
    for (const role of roleNames) {
      for (const [name, ground] of Object.entries({ ...grounds, tint: roles[role].tint })) {
        expect(contrast(roles[role].text, ground), `${role}.text on ${name}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  it.each(combinations)('$preset $mode: fills carry their ink, also hovered', ({ preset, mode }) => {
    const { roles } = paletteOf(mode, preset)
    for (const role of roleNames) {
      const { fill, fillHover, onFill } = roles[role]
      expect(contrast(onFill, fill), `${role} fill`).toBeGreaterThanOrEqual(4.5)
      expect(contrast(onFill, fillHover), `${role} hover`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(combinations)('$preset $mode: words and lit cells stand out at night', ({ preset, mode }) => {
    const { night, onNight, onNight2, unlit, lamp, lampDim, lampOut } = paletteOf(mode, preset).neutral
    for (const words of [onNight, onNight2]) expect(contrast(words, night)).toBeGreaterThanOrEqual(7)
    for (const lit of [lamp, lampDim, lampOut]) {
      expect(contrast(lit, night)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(lit, unlit), 'a lit cell beside an unlit one').toBeGreaterThanOrEqual(3)
    }
  })

  it.each(combinations)('$preset $mode: focus ring, field edges and chart lines reach 3:1', ({ preset, mode }) => {
    const { neutral, chart } = paletteOf(mode, preset)
    for (const ground of [neutral.page, neutral.surface, neutral.raised]) {
      expect(contrast(neutral.focus, ground)).toBeGreaterThanOrEqual(3)
      expect(contrast(neutral.fieldLine, ground)).toBeGreaterThanOrEqual(3)
      for (const line of chart) expect(contrast(line, ground)).toBeGreaterThanOrEqual(3)
    }
  })
})
