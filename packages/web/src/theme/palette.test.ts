import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast, hue } from './oklch'
import { neutralNames, paletteOf, roleNames, type Mode, type Role } from './palette'
import { presetNames, presets } from './presets'
import { color, styleOf } from './tokens'

const modes: Mode[] = ['light', 'dark']
const each = presetNames.flatMap((preset) => modes.map((mode) => ({ preset, mode, palette: paletteOf(mode, preset) })))
const turned = (a: string, b: string) => Math.min(Math.abs(hue(a) - hue(b)), 360 - Math.abs(hue(a) - hue(b)))

describe.each(each)('$preset in $mode', ({ preset, mode, palette: { roles, neutral, chart } }) => {
  test('keeps the brand’s own colour where nothing has to be read on it', () => {
    const brand = presets[preset][mode]
    expect([roles.primary.brand, roles.secondary.brand, roles.accent.brand]).toEqual([
      brand.primary,
      brand.secondary,
      brand.accent,
    ])
  })

  test('derives text and fills from it without turning its hue', () => {
    for (const role of ['primary', 'secondary'] as const) {
      expect(turned(roles[role].text, roles[role].brand), `${role} text`).toBeLessThan(6)
      expect(turned(roles[role].fill, roles[role].brand), `${role} fill`).toBeLessThan(6)
    }
  })

  test('shows that a button is under the pointer, and a surface apart from what is raised or sunken', () => {
    for (const role of roleNames) expect(roles[role].fillHover, role).not.toBe(roles[role].fill)
    expect(contrast(neutral.line, neutral.page)).toBeGreaterThan(1.1)
    expect(contrast(neutral.sunken, neutral.page)).toBeGreaterThan(1.01)
  })

  test('has six lines for charts that differ from each other', () => {
    expect(new Set(chart).size).toBe(6)
  })
})

test('what fails, warns and succeeds looks the same in every preset', () => {
  const fixed: Role[] = ['error', 'info', 'success', 'warning']
  for (const mode of modes)
    for (const role of fixed)
      expect(new Set(presetNames.map((preset) => JSON.stringify(paletteOf(mode, preset).roles[role]))).size).toBe(1)
})

test('the ten presets differ, and each has a name', () => {
  expect(presetNames).toHaveLength(10)
  expect(new Set(presetNames.map((name) => presets[name].label)).size).toBe(10)
  expect(new Set(presetNames.map((name) => JSON.stringify(presets[name].light))).size).toBe(10)
})

describe('the declarations of a palette', () => {
  const light = styleOf(paletteOf('light', 'default'))
  const dark = styleOf(paletteOf('dark', 'default'))

  test('give every variable that a component may name its value', () => {
    const named = [
      ...neutralNames.map((name) => color[name]),
      ...roleNames.flatMap((role) => Object.values(color[role])),
    ].map((variable) => /^var\((--[\w-]+)\)$/.exec(variable)?.[1])
    for (const name of named) expect(light, name).toContain(`${name}: #`)
  })

  test('tell the browser the mode, before what was written on the element', () => {
    expect(light).toMatch(/^color-scheme: light !important/)
    expect(dark).toMatch(/^color-scheme: dark !important/)
  })

  test('are those of the page before its script, in both modes', () => {
    const plain = readFileSync(new URL('../../public/plain.css', import.meta.url), 'utf8')
    const said = [...plain.matchAll(/(--[\w-]+): light-dark\((#\w+), (#\w+)\);/g)]
    expect(said.length).toBeGreaterThan(10)
    for (const [, name, inLight, inDark] of said) {
      expect(light).toContain(`${name}: ${inLight};`)
      expect(dark).toContain(`${name}: ${inDark};`)
    }
  })

  test('draw a line around what is raised where a shadow alone cannot be seen', () => {
    expect(dark).toMatch(/--shadow-menu: [^;]*, 0 0 0 1px #/)
    expect(light).not.toMatch(/--shadow-menu: [^;]*, 0 0 0 1px #/)
  })
})
