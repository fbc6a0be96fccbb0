import styled from 'styled-components'
import { color, font } from '../theme/tokens'

export const Key = styled.kbd`
  display: inline-grid;
  place-items: center;
  min-width: 22px;
  height: 22px;
  padding: 0 6px;
  border: 1px solid ${color.line};
  border-radius: 4px;
  background: ${color.surface};
  color: ${color.text2};
  font-family: ${font.family.text};
  ${font.xs}
`
