/**
 * Components name no colour, shadow or type size themselves. Colours are CSS variables, so another mode or preset
 * repaints without rendering.
 */
import { neutralNames, roleNames, type NeutralName, type Palette, type Role, type RoleColours } from './palette'
import { byName } from '@vps/shared/records'

const roleParts = ['brand', 'fill', 'fillHover', 'onFill', 'text', 'tint'] as const satisfies (keyof RoleColours)[]

/** `color.text2`, `color.page` … and `color.primary.fill`, `color.error.tint` … */
export const color: Record<NeutralName, string> & Record<Role, RoleColours> = {
  ...byName(neutralNames, (name) => `var(--${name})`),
  ...byName(roleNames, (role) => byName(roleParts, (part) => `var(--${role}-${part})`)),
}

export const shadow = {
  menu: 'var(--shadow-menu)',
  dialog: 'var(--shadow-dialog)',
  pinned: 'var(--shadow-pinned)',
  pinnedEnd: 'var(--shadow-pinned-end)',
  backdrop: 'var(--backdrop)',
  dimmed: 'var(--dimmed)',
}

const family = {
  text: `-apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", sans-serif`,
  mono: `ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Liberation Mono", "Noto Sans Mono CJK SC", monospace`,
}

export const font = {
  family,
  xs: 'font-size: 12px; line-height: 18px;',
  sm: 'font-size: 14px; line-height: 22px;',
  md: 'font-size: 16px; line-height: 24px;',
  lg: 'font-size: 20px; line-height: 28px;',
  xl: 'font-size: 24px; line-height: 32px;',
  xxl: 'font-size: 32px; line-height: 40px;',
  xxxl: 'font-size: 44px; line-height: 56px;',
  strong: 'font-weight: 600;',
  numbers: 'font-variant-numeric: tabular-nums;',
}

export const radius = { control: '6px', card: '8px', dialog: '12px', pill: '999px' }

export const motion = { state: '120ms ease-out', layer: '160ms ease-out', arrival: '240ms ease-out' }

export const media = {
  phone: '@media (max-width: 639px)',
  notPhone: '@media (min-width: 640px)',
  /** No room for the menus of staff. */
  crowded: '@media (max-width: 1199px)',
  narrow: '@media (max-width: 1023px)',
  wide: '@media (min-width: 1024px)',
}

/** What is only pressed (the rest of paper's look: `public/print.css`). */
export const unprinted = '@media print { display: none; }'

export const size = {
  console: '1360px',
  marketing: '1200px',
  form: '720px',
  auth: '400px',
  bar: '56px',
  barPhone: '52px',
}

/** A table head's distance from the top; what scrolls by itself sets 0. */
export const headTop = '--table-head-top'

export const backdropClass = 'backdrop'

export const focusRing = `outline: 2px solid ${color.focus}; outline-offset: 2px;`

/** For `:root`. */
export const styleOf = (palette: Palette): string =>
  // theme.js has written one on the element, which a rule alone does not change.
  `color-scheme: ${palette.mode} !important;\n${propertiesOf(palette)}`

/** Its custom properties alone. */
export function propertiesOf(palette: Palette): string {
  const dark = palette.mode === 'dark'
  const edge = dark ? `, 0 0 0 1px ${palette.neutral.line}` : ''
  return [
    ...neutralNames.map((name) => `--${name}: ${palette.neutral[name]}`),
    ...roleNames.flatMap((role) => roleParts.map((part) => `--${role}-${part}: ${palette.roles[role][part]}`)),
    ...palette.chart.map((line, i) => `--chart-${i}: ${line}`),
    // Invisible on a dark page without a line.
    `--shadow-menu: 0 4px 16px rgb(16 20 40 / ${dark ? 0.5 : 0.12})${edge}`,
    `--shadow-dialog: 0 16px 48px rgb(16 20 40 / ${dark ? 0.6 : 0.2})${edge}`,
    `--shadow-pinned: 8px 0 8px -8px rgb(16 20 40 / ${dark ? 0.6 : 0.16})`,
    `--shadow-pinned-end: -8px 0 8px -8px rgb(16 20 40 / ${dark ? 0.6 : 0.16})`,
    `--backdrop: rgb(10 12 20 / ${dark ? 0.6 : 0.45})`,
    `--dimmed: color-mix(in srgb, rgb(10 12 20) ${dark ? 60 : 45}%, ${palette.neutral.page})`,
  ].join(';\n')
}

export const qr = { ink: '#000000', paper: '#ffffff' }
