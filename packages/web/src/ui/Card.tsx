import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media, radius } from '../theme/tokens'

/** A titled part of a page. */
export function Card({
  title,
  note,
  actions,
  children,
  className,
}: {
  title?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <Panel className={className}>
      {title && (
        <Head>
          <h2>{title}</h2>
          {note && <Note>{note}</Note>}
          {actions && <Actions>{actions}</Actions>}
        </Head>
      )}
      {children}
    </Panel>
  )
}

export const Panel = styled.section`
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  background: ${color.page};
  padding: 20px;
  min-width: 0;

  ${media.phone} {
    padding: 16px;
  }
`

const Head = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 8px 12px;
  min-height: 28px;
  margin-bottom: 16px;

  h2 {
    ${font.md}
  }
`

const Note = styled.span`
  ${font.xs}
  color: ${color.text3};
`

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: flex-end;
  gap: 8px;
  margin-left: auto;
`
