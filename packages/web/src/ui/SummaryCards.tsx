import type { ReactNode } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { color, font, media, motion, radius } from '../theme/tokens'
import { Bar } from './states'
import { Dim } from './Time'

export interface SummaryCard {
  label: string
  value: ReactNode | undefined
  tone?: 'success' | 'warning' | 'error'
  /** Those that are counted. */
  href?: string
  /** A filter below leads there by the keys: no further stop on the way to the first row (design, "Table"). */
  isFilter?: true
}

/** Four figures over a list. */
export function SummaryCards({ cards, failed }: { cards: SummaryCard[]; failed?: boolean }) {
  return (
    <Grid>
      {cards.map(({ label, value, tone, href, isFilter }) => (
        <div key={label}>
          <dt>
            {href ? (
              <Whole href={href} tabIndex={isFilter ? -1 : 0}>
                {label}
              </Whole>
            ) : (
              label
            )}
          </dt>
          <dd style={tone ? { color: color[tone].text } : undefined}>
            {value === undefined && failed ? (
              <Dim>—</Dim>
            ) : value === undefined ? (
              <Bar $width="64px" $height={24} />
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </Grid>
  )
}

/** The card is its target. */
const Whole = styled(Link)`
  color: inherit;

  &::after {
    content: '';
    position: absolute;
    inset: -1px;
    border: 1px solid transparent;
    border-radius: ${radius.card};
    transition: border-color ${motion.state};
  }

  &:hover::after {
    border-color: ${color.fieldLine};
  }
`

const Grid = styled.dl`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: 16px;
  margin-bottom: 16px;

  > div {
    position: relative;
    height: 88px;
    padding: 14px 20px;
    border: 1px solid ${color.line};
    border-radius: ${radius.card};
    background: ${color.page};
  }

  dt {
    color: ${color.text2};
  }

  dd {
    ${font.xl}
    ${font.strong}
    ${font.numbers}
  }

  ${media.phone} {
    grid-template-columns: 1fr 1fr;
    gap: 12px;
    margin-bottom: 12px;

    > div {
      height: auto;
      padding: 12px 16px;
    }

    dd {
      ${font.lg}
    }
  }
`
