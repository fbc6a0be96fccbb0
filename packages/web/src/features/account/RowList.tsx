import styled from 'styled-components'
import { color, font } from '../../theme/tokens'

export const RowList = styled.ul`
  li {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 10px 0;

    & + li {
      border-top: 1px solid ${color.line};
    }
  }

  svg {
    color: ${color.text3};
  }

  div {
    flex: 1;
    min-width: 0;
    display: grid;
    overflow-wrap: anywhere;
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }
`
