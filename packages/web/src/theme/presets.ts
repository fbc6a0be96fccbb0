import { namesOf } from '@vps/shared/records'

export interface Brand {
  primary: string
  secondary: string
  accent: string
}

export interface Preset {
  label: string
  light: Brand
  dark: Brand
}

const brand = (primary: string, secondary: string, accent: string): Brand => ({ primary, secondary, accent })

export const presets = {
  default: {
    label: '默认',
    light: brand('#667eea', '#764ba2', '#82b1ff'),
    dark: brand('#667eea', '#764ba2', '#82b1ff'),
  },
  blue: {
    label: '蓝色',
    light: brand('#1f7ae0', '#0c5fb5', '#6cb6ff'),
    dark: brand('#3b8ff0', '#2c74d1', '#7cc0ff'),
  },
  green: {
    label: '绿色',
    light: brand('#2e9e5b', '#1c7c6a', '#7bd88f'),
    dark: brand('#3bb56c', '#2a967f', '#86e29b'),
  },
  purple: {
    label: '紫色',
    light: brand('#8b5cf6', '#6d3fc4', '#c4a7ff'),
    dark: brand('#9a72f8', '#7d52d6', '#cdb5ff'),
  },
  red: { label: '红色', light: brand('#e5484d', '#b4264f', '#ff9592'), dark: brand('#ee5d62', '#c73f66', '#ffa5a2') },
  orange: {
    label: '橙色',
    light: brand('#f2711c', '#c2410c', '#ffb27a'),
    dark: brand('#f7853c', '#d65a24', '#ffbf91'),
  },
  teal: { label: '青色', light: brand('#0d9f97', '#0b7285', '#5eddd2'), dark: brand('#1fb5ac', '#1f8a9e', '#70e5db') },
  indigo: {
    label: '靛蓝',
    light: brand('#4f56d8', '#3a3aa8', '#929bff'),
    dark: brand('#6a71ea', '#5355c9', '#a2aaff'),
  },
  pink: { label: '粉色', light: brand('#e0529c', '#b02f86', '#ff9fce'), dark: brand('#ea6cae', '#c44a9a', '#ffafd7') },
  amber: {
    label: '琥珀',
    light: brand('#f5a70a', '#b45309', '#ffd166'),
    dark: brand('#f8b62d', '#cc6b1d', '#ffd97f'),
  },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets

export const presetNames = namesOf(presets)
