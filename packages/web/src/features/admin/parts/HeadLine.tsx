import styled from 'styled-components'

/** A thing in a line, beside its name. */
export const HeadLine = styled.span`
  display: inline-flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 2px 10px;
  overflow-wrap: anywhere;
`
