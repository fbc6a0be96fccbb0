import type { OverviewView } from '@vps/shared/overview.contract'
import styled from 'styled-components'
import { color, font, media } from '../../../theme/tokens'
import { Dim } from '../../../ui/Time'
import { secondsText } from './figure-texts'

/** Each step begins where the one before ends. */
export function StepTimes({ steps }: { steps: OverviewView['setUpSteps'] }) {
  const whole = steps.reduce((sum, { p50 }) => sum + p50, 0)
  const begins = steps.map((_, at) => steps.slice(0, at).reduce((sum, { p50 }) => sum + p50, 0))
  return (
    <section>
      <Title>各步骤用时</Title>
      <List>
        {steps.map(({ label, p50, p95 }, at) => (
          <li key={label}>
            <span>{label}</span>
            <Track aria-hidden>
              <i style={{ left: percent(begins[at] ?? 0, whole), width: percent(p50, whole) }} />
            </Track>
            <Times>
              {timeText(p50)} <Dim>95% {timeText(p95)}</Dim>
            </Times>
          </li>
        ))}
      </List>
    </section>
  )
}

const timeText = (seconds: number) => (seconds < 1 ? `${Math.round(seconds * 1000)} 毫秒` : secondsText(seconds))

const percent = (part: number, whole: number) => `${whole > 0 ? (part / whole) * 100 : 0}%`

const Title = styled.h3`
  margin: 16px 0 4px;
  ${font.sm}
  color: ${color.text2};
`

const List = styled.ul`
  li {
    display: grid;
    grid-template-columns: minmax(112px, auto) 1fr 148px;
    align-items: center;
    gap: 12px;
    min-height: 28px;
    ${font.xs}
  }

  ${media.phone} {
    li {
      grid-template-columns: 1fr auto;
      padding: 6px 0;
    }
  }
`

const Track = styled.span`
  position: relative;
  height: 8px;
  border-radius: 2px;
  background: ${color.sunken};

  i {
    position: absolute;
    top: 0;
    bottom: 0;
    min-width: 2px;
    border-radius: 2px;
    background: ${color.primary.brand};
  }

  ${media.phone} {
    order: 3;
    grid-column: 1 / -1;
  }
`

const Times = styled.span`
  text-align: right;
  white-space: nowrap;
  ${font.numbers}
`
