import styled from 'styled-components'
import { color, font } from '../theme/tokens'

/** What is to be paid: its name at one end of the line, the amount at the other. */
export const TotalLine = styled.div`
  display: flex;
  align-items: baseline;
  justify-content: space-between;

  strong {
    ${font.xl}
    color: ${color.primary.text};
  }
`
