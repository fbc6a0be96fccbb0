import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, radius } from '../../../theme/tokens'

/** Text of a machine; scrolls, also by keyboard. */
export function Command({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box tabIndex={0} role="group" aria-label={label}>
      {children}
    </Box>
  )
}

const Box = styled.pre`
  max-height: 240px;
  margin: 0;
  padding: 12px 16px;
  border-radius: ${radius.control};
  background: ${color.sunken};
  font-family: ${font.family.mono};
  ${font.xs}
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  overflow: auto;
`
