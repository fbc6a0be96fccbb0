import styled from 'styled-components'
import { media } from '../theme/tokens'

export const Middle = styled.div`
  display: grid;
  place-items: center;
  min-height: 70vh;
  padding: 32px 24px;

  ${media.phone} {
    padding: 16px;
  }
`
