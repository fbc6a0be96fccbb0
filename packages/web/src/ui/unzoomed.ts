import { font } from '../theme/tokens'

/** A phone, also on its side. */
export const handheld = '@media (max-width: 639px), (pointer: coarse) and (max-height: 639px)'

/** An iPhone zooms the page to a field whose letters are smaller, and leaves it so. */
export const unzoomed = `
  ${handheld} {
    ${font.md}
  }
`
