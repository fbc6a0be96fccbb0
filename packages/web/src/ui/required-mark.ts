import { css } from 'styled-components'
import { color } from '../theme/tokens'

/** Before the name of what may not be left empty, as Chinese forms have it. */
export const requiredMark = css`
  &::before {
    content: '* ' / '';
    color: ${color.error.text};
  }
`
