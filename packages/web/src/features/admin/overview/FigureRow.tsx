import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media } from '../../../theme/tokens'
import { Bar } from '../../../ui/states'

/** Undefined figures are awaited. */
export function FigureRow({ figures }: { figures: [label: string, value: ReactNode][] }) {
  return (
    <List>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? <Bar $width="64px" $height={20} />}</dd>
        </div>
      ))}
    </List>
  )
}

const List = styled.dl`
  display: flex;
  flex-wrap: wrap;
  gap: 8px 40px;
  margin-bottom: 16px;

  dt {
    ${font.xs}
    color: ${color.text2};
  }

  dd {
    ${font.xl}
    ${font.strong}
    ${font.numbers}
  }

  ${media.phone} {
    gap: 8px 24px;

    dd {
      ${font.lg}
    }
  }
`
