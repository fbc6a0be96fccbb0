import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media, radius } from '../theme/tokens'
import { useTitle } from './use-title'

/** A whole page that only says something. */
export function Notice({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: LucideIcon
  title: string
  text: ReactNode
  children?: ReactNode
}) {
  useTitle(title)
  return (
    <Middle>
      <Tile>
        <Icon size={32} strokeWidth={1.5} aria-hidden />
      </Tile>
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
    ${font.xl}
  }

  p {
    max-width: 45em;
    color: ${color.text2};
  }
`

const Tile = styled.div`
  display: grid;
  place-items: center;
  width: 72px;
  height: 72px;
  margin-bottom: 8px;
  border-radius: ${radius.dialog};
  background: ${color.primary.tint};
  color: ${color.primary.text};
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
