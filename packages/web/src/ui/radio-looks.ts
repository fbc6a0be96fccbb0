import { css } from 'styled-components'
import { color } from '../theme/tokens'

/** Unseen over its whole label: takes clicks and keys. */
export const coveringInput = css`
  input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
`

export const chosenCard = css`
  &:has(:checked) {
    border-color: ${color.primary.brand};
    box-shadow: inset 0 0 0 1px ${color.primary.brand};
    background: ${color.primary.tint};
  }

  &:has(:focus-visible) {
    outline: 2px solid ${color.focus};
    outline-offset: 2px;
  }
`
