import { css } from 'styled-components'

/** Heard by whoever does not see the screen, and takes no room on it. */
export const heardOnly = css`
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
`
