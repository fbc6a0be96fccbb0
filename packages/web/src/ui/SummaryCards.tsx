import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media, radius } from '../theme/tokens'
import { Bar } from './states'
import { Dim } from './Time'

export interface SummaryCard {
  label: string
  value: ReactNode | undefined
  tone?: 'success' | 'warning' | 'error'
}

/** Four figures over a list. */
export function SummaryCards({ cards, failed }: { cards: SummaryCard[]; failed?: boolean }) {
  return (
    <Grid>
      {cards.map(({ label, value, tone }) => (
        <div key={label}>
          <dt>{label}</dt>
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

const Grid = styled.dl`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: 16px;
  margin-bottom: 16px;

  > div {
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
