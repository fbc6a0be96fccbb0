import styled from 'styled-components'

/** Beside a name on its page. */
export const HeadLine = styled.span`
  display: inline-flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 2px 10px;
  overflow-wrap: anywhere;
`
