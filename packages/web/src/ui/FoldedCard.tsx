import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'
import { Card, Panel } from './Card'
import { useNarrow } from '../theme/use-media'

interface FoldedProps {
  title: string
  note?: ReactNode
  /** Unfolds it, for a fault within. */
  open?: boolean
  children: ReactNode
}

/** Folded to title and note where room is little. */
export function FoldedCard({ children, ...folded }: FoldedProps) {
  const narrow = useNarrow()
  if (!narrow)
    return (
      <Card title={folded.title} note={folded.note}>
        {children}
      </Card>
    )
  return (
    <Panel>
      <FoldedPart {...folded} heading="h2">
        {children}
      </FoldedPart>
    </Panel>
  )
}

/** Alike; without a title where there is room. */
export function FoldedPart({
  title,
  note,
  open = false,
  heading: Heading = 'span',
  children,
}: FoldedProps & { heading?: 'h2' | 'span' }) {
  const narrow = useNarrow()
  if (!narrow) return children
  return (
    <Fold open={open || undefined}>
      <summary>
        <span>
          <Heading>{title}</Heading>
          {note && <small>{note}</small>}
        </span>
      </summary>
      {children}
    </Fold>
  )
}

const Fold = styled.details`
  summary {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 16px;
    min-height: 44px;
    margin: -8px 0;
    ${font.sm}
    cursor: pointer;
  }

  summary > span {
    display: grid;
    min-width: 0;
  }

  h2 {
    ${font.md}
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }

  summary::after {
    content: '';
    flex: none;
    width: 8px;
    height: 8px;
    margin: -4px 4px 0;
    border: solid ${color.text3};
    border-width: 0 1.75px 1.75px 0;
    transform: rotate(45deg);
  }

  &[open] summary {
    margin-bottom: 8px;
  }

  & + fieldset {
    margin-top: 12px;
  }

  &[open] summary::after {
    margin-top: 4px;
    transform: rotate(-135deg);
  }
`
