import styled from 'styled-components'
import { font } from '../../theme/tokens'

/** A name with its state and a figure. */
export const Head = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 4px 12px;
  ${font.sm}

  h3 {
    ${font.strong}
    overflow-wrap: anywhere;
  }

  b {
    margin-left: auto;
    ${font.numbers}
  }
`
