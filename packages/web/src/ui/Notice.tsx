import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media } from '../theme/tokens'
import { useTitle } from './use-title'

/** A whole page that only says something. */
export function Notice({
  picture,
  title,
  text,
  children,
}: {
  picture: ReactNode
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  useTitle(title)
  return (
    <Middle>
      {picture}
      <h1>{title}</h1>
      <p>{text}</p>
      <Row>{children}</Row>
    </Middle>
  )
}

const Middle = styled.div`
  display: grid;
  justify-items: center;
  align-content: center;
  gap: 8px;
  min-height: 60vh;
  padding: 48px 24px;
  text-align: center;

  h1 {
    margin-top: 12px;
    ${font.xl}
  }

  p {
    max-width: 45em;
    color: ${color.text2};
  }
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: 12px;
  margin-top: 16px;

  ${media.phone} {
    width: 100%;

    > * {
      flex: 1;
    }
  }
`
