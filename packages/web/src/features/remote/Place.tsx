import styled from 'styled-components'

/** Where a library draws. */
export const Place = styled.div`
  position: absolute;
  inset: 0;
  overflow: hidden;
`
