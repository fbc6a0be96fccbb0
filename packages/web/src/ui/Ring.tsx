import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, motion } from '../theme/tokens'

export type RingLevel = 'normal' | 'warning' | 'error'

const strokes: Record<RingLevel, string> = {
  normal: color.primary.brand,
  warning: color.warning.brand,
  error: color.error.brand,
}

/** Of 100; empty without a figure. */
export function Ring({
  percent,
  label,
  level = 'normal',
  side = 112,
  note,
}: {
  percent: number | null
  label: string
  level?: RingLevel
  side?: number
  note?: ReactNode
}) {
  const width = Math.max(6, side / 14)
  const radius = (side - width) / 2
  const length = 2 * Math.PI * radius
  const share = Math.min(100, Math.max(0, percent ?? 0)) / 100
  return (
    <Figure>
      <Dial
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent === null ? 0 : Math.round(percent)}
        aria-valuetext={percent === null ? '暂无数据' : `${Math.round(percent)}%`}
        data-level={level}
      >
        <svg width={side} height={side} viewBox={`0 0 ${side} ${side}`} aria-hidden>
          <circle cx={side / 2} cy={side / 2} r={radius} fill="none" stroke={color.line} strokeWidth={width} />
          <Arc
            cx={side / 2}
            cy={side / 2}
            r={radius}
            fill="none"
            stroke={strokes[level]}
            strokeWidth={width}
            strokeLinecap="round"
            strokeDasharray={`${length * share} ${length}`}
            visibility={share === 0 ? 'hidden' : 'visible'}
            transform={`rotate(-90 ${side / 2} ${side / 2})`}
          />
        </svg>
        <Value $small={side < 96}>
          {percent === null ? '—' : Math.round(percent)}
          {percent !== null && <small>%</small>}
        </Value>
      </Dial>
      <figcaption>
        {label}
        {note && <small>{note}</small>}
      </figcaption>
    </Figure>
  )
}

const Figure = styled.figure`
  display: grid;
  justify-items: center;
  gap: 8px;

  figcaption {
    display: grid;
    justify-items: center;
    color: ${color.text2};
    ${font.sm}

    small {
      ${font.xs}
      color: ${color.text3};
    }
  }
`

const Dial = styled.div`
  position: relative;
  display: grid;
  place-items: center;
`

const Arc = styled.circle`
  transition:
    stroke-dasharray ${motion.layer},
    stroke ${motion.layer};
`

const Value = styled.span<{ $small: boolean }>`
  position: absolute;
  ${({ $small }) => ($small ? font.md : font.xl)}
  ${font.strong}
  ${font.numbers}

  small {
    ${font.xs}
    font-weight: 400;
    color: ${color.text3};
  }
`
