import { css } from 'styled-components'
import { color } from '../theme/tokens'

/** The browser's own in the theme's colour. */
export const checkboxLook = css`
  input {
    flex: none;
    width: 16px;
    height: 16px;
    margin: 0;
    accent-color: ${color.primary.fill};
  }
`
