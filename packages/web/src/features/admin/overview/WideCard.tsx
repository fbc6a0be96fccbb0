import styled from 'styled-components'
import { media } from '../../../theme/tokens'
import { Card } from '../../../ui/Card'

/** Two of three columns. */
export const WideCard = styled(Card)`
  ${media.wide} {
    grid-column: span 2;
  }
`
