import styled, { css } from 'styled-components'

/** For screen readers. */
export const heardOnly = css`
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
`

/** With `role="status"`, there before its words come: else nobody hears them. */
export const Heard = styled.p`
  ${heardOnly}
`
