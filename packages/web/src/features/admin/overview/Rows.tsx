import styled from 'styled-components'
import { color, font, media } from '../../../theme/tokens'

export const Rows = styled.ul`
  li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    min-height: 36px;
    ${font.numbers}
  }

  li + li {
    border-top: 1px solid ${color.line};
  }

  ${media.phone} {
    li {
      min-height: 44px;
    }

    a {
      display: inline-flex;
      align-items: center;
      min-height: 44px;
    }
  }
`

export const Measure = styled.span`
  display: grid;
  grid-template-columns: 96px 72px;
  align-items: center;
  justify-items: end;
  gap: 12px;
  flex: none;

  ${media.phone} {
    grid-template-columns: 64px 72px;
  }
`
