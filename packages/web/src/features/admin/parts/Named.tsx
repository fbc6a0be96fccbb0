import type { ReactNode } from 'react'
import styled from 'styled-components'
import { requiredMark } from '../../../ui/required-mark'

/** A field's name, marked where it may not be left empty. */
export function Named({ required, children }: { required: boolean | undefined; children: ReactNode }) {
  return required ? <Required>{children}</Required> : children
}

const Required = styled.span`
  ${requiredMark}
`
