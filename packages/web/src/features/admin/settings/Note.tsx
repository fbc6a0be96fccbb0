import styled from 'styled-components'
import { color } from '../../../theme/tokens'

/** Below a section's head. */
export const Note = styled.p`
  margin: -8px 0 8px;
  color: ${color.text3};
`
