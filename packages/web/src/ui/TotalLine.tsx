import styled from 'styled-components'
import { color, font } from '../theme/tokens'

export const TotalLine = styled.div`
  display: flex;
  align-items: baseline;
  justify-content: space-between;

  strong {
    ${font.xl}
    color: ${color.primary.text};
  }
`
