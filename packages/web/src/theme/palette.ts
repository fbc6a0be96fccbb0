/** White text on brand colours misses 4.5:1, so text and fills are darker or lighter until readable. */
import { contrast, hue, mix, moveLightness } from './oklch'
import { presets, type PresetName } from './presets'
import { byName } from '@vps/shared/records'

export type Mode = 'light' | 'dark'

export const roleNames = ['primary', 'secondary', 'accent', 'error', 'info', 'success', 'warning'] as const
export type Role = (typeof roleNames)[number]

export interface RoleColours {
  /** Never text. */
  brand: string
  fill: string
  fillHover: string
  onFill: string
  text: string
  tint: string
}

export interface Palette {
  mode: Mode
  neutral: Record<NeutralName, string>
  roles: Record<Role, RoleColours>
  chart: readonly string[]
}

export const neutralNames = [
  'page',
  'surface',
  'raised',
  'sunken',
  'text',
  'text2',
  'text3',
  'disabled',
  'fieldLine',
  'line',
  'focus',
  'night',
  'onNight',
  'onNight2',
  'unlit',
  'lamp',
  'lampDim',
  'lampOut',
] as const
export type NeutralName = (typeof neutralNames)[number]

const fixed = { error: '#e74c3c', info: '#2196f3', success: '#27ae60', warning: '#ffc107' } as const

const grounds = {
  light: {
    page: '#ffffff',
    surface: '#f6f7fb',
    raised: '#ffffff',
    sunken: '#eef0f6',
    text: '#1a1f33',
    text2: '#474e66',
    text3: '#5f6780',
    disabled: '#9aa1b5',
    fieldLine: '#858da6',
    line: '#e1e5ef',
  },
  dark: {
    page: '#0e1018',
    surface: '#161925',
    raised: '#1e2231',
    sunken: '#0a0c13',
    text: '#e8eaf3',
    text2: '#b4bacd',
    text3: '#959cb4',
    disabled: '#5d6480',
    fieldLine: '#6a7290',
    line: '#2a2f42',
  },
} as const

const chartLines = {
  light: ['#4d69e7', '#00897b', '#c2410c', '#764ba2', '#0369a1', '#a16207'],
  dark: ['#82b1ff', '#2dd4bf', '#fb923c', '#b79be0', '#38bdf8', '#facc15'],
} as const

const white = '#ffffff'
const ink = { light: '#1a1f33', dark: '#0e1018' } as const

/** Of one mode and preset. */
export function paletteOf(mode: Mode, preset: PresetName): Palette {
  const brand = { ...fixed, ...presets[preset][mode] }
  const derive = mode === 'light' ? lightRole : darkRole
  const roles = byName(roleNames, (role) => derive(brand[role]))
  return {
    mode,
    roles,
    chart: chartLines[mode],
    neutral: {
      ...grounds[mode],
      focus: mode === 'light' ? roles.primary.text : roles.accent.text,
      ...nightOf(brand.primary),
    },
  }
}

function lightRole(brand: string): RoleColours {
  const ground = grounds.light
  const tint = mix(ground.page, brand, 0.12)
  const text = moveLightness(brand, 'darker', (c) =>
    [ground.page, ground.surface, ground.sunken, tint].every((under) => contrast(c, under) >= 4.6),
  )
  if (isYellow(brand)) {
    // A yellow dark enough for white text is brown: it stays yellow with dark ink.
    const fillHover = moveLightness(brand, 'darker', (c) => contrast(c, brand) >= 1.14)
    return { brand, tint, text, fill: brand, fillHover, onFill: ink.light }
  }
  const fill = readableUnder(white, brand, 4.7)
  const fillHover = readableUnder(white, fill, contrast(white, fill) * 1.2)
  return { brand, tint, text, fill, fillHover, onFill: white }
}

function darkRole(brand: string): RoleColours {
  const ground = grounds.dark
  const tint = darkTint(brand)
  const text = moveLightness(brand, 'lighter', (c) =>
    [ground.page, ground.surface, ground.raised, tint].every((under) => contrast(c, under) >= 4.6),
  )
  const fillHover = moveLightness(text, 'lighter', (c) => contrast(c, ink.dark) >= contrast(text, ink.dark) * 1.14)
  return { brand, tint, text, fill: text, fillHover, onFill: ink.dark }
}

/** The same in both modes: docs/design.md. */
function nightOf(primary: string) {
  const night = moveLightness(mix('#10122a', primary, 0.3), 'darker', (c) => contrast(white, c) >= 15)
  const lit = (colour: string) => moveLightness(colour, 'lighter', (c) => contrast(c, night) >= 8)
  return {
    night,
    onNight: white,
    onNight2: mix(night, white, 0.72),
    unlit: mix(night, white, 0.13),
    lamp: lit(fixed.success),
    lampDim: lit(fixed.warning),
    lampOut: moveLightness(fixed.error, 'lighter', (c) => contrast(c, night) >= 5),
  }
}

/** Help text lies on the tint too: a bright brand colour gets a weaker one. */
function darkTint(brand: string): string {
  let share = 0.18
  while (contrast(grounds.dark.text3, mix(grounds.dark.surface, brand, share)) < 4.55) share -= 0.01
  return mix(grounds.dark.surface, brand, share)
}

const readableUnder = (over: string, colour: string, ratio: number) =>
  moveLightness(colour, 'darker', (c) => contrast(over, c) >= ratio)

const isYellow = (colour: string) => {
  const h = hue(colour)
  return h > 65 && h < 115 && contrast(colour, ink.light) > 7
}
