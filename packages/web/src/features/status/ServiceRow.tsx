import { dayText, daysText, levelOf, shareText, stateTexts, statusDays, type ServiceState } from '@vps/shared/status'
import type { ServiceView } from '@vps/shared/status.contract'
import { useState, type PointerEvent } from 'react'
import styled from 'styled-components'
import { color, font, media } from '../../theme/tokens'
import { Chip, type ChipTone } from '../../ui/Chip'
import { shine } from '../../ui/Lights'
import { barsOf, unit } from './bars'
import { Head } from './look'

const tones: Record<ServiceState, ChipTone> = { good: 'success', disturbed: 'warning', unknown: 'unknown' }

/** A bar per day, and a sentence on the pointed day or all. */
export function ServiceRow({ service, days }: { service: ServiceView; days: readonly string[] }) {
  const { name, state, share } = service
  const [chosen, setChosen] = useState<number | null>(null)
  const last = days.length - 1
  const textAt = (place: number) => dayText(days[place] ?? '', service.days[place] ?? null)

  function point({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setChosen(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * days.length))))
  }

  return (
    <li>
      <Head>
        <h3>{name}</h3>
        <Chip tone={tones[state]}>{stateTexts[state]}</Chip>
        {share !== null && <b>{shareText(share)}</b>}
      </Head>
      <Bars>
        <svg viewBox={`0 0 ${days.length * unit} 32`} preserveAspectRatio="none" aria-hidden>
          {barsOf(service.days.map(levelOf)).map(([level, path]) => (
            <path key={level} d={path} fill={shine.page[level]} />
          ))}
          {chosen !== null && <rect x={chosen * unit} width={unit} height="32" fill={color.text} fillOpacity="0.24" />}
        </svg>
        {/* The browser's own control: arrows, dragging and what a screen reader says of a day are its. */}
        <input
          type="range"
          min={0}
          max={last}
          value={chosen ?? last}
          aria-label={`${name}每日状态`}
          aria-valuetext={textAt(chosen ?? last)}
          onChange={(event) => setChosen(Number(event.target.value))}
          onPointerMove={point}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
          onFocus={({ target }) => target.matches(':focus-visible') && setChosen(chosen ?? last)}
          onBlur={() => setChosen(null)}
        />
      </Bars>
      <Below>
        <span aria-hidden>{days.length} 天前</span>
        <p>{chosen === null ? daysText(share, service.days) : textAt(chosen)}</p>
        <span aria-hidden>今天</span>
      </Below>
    </li>
  )
}

const Bars = styled.div`
  display: grid;
  height: 32px;
  margin-top: 8px;

  /* One over the other. */
  > * {
    grid-area: 1 / 1;
    width: 100%;
    height: 100%;
    margin: 0;
  }

  input {
    appearance: none;
    background: transparent;
    cursor: pointer;
  }

  /* As wide as a bar, so that the browser's places are those of the bars. */
  input::-webkit-slider-thumb {
    appearance: none;
    width: ${100 / statusDays}%;
    height: 32px;
    opacity: 0;
  }

  input::-moz-range-thumb {
    width: ${100 / statusDays}%;
    height: 32px;
    border: 0;
    opacity: 0;
  }

  ${media.phone} {
    height: 44px;
  }
`

const Below = styled.div`
  display: grid;
  grid-template-columns: auto 1fr auto;
  gap: 0 16px;
  margin-top: 4px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text3};

  p {
    color: ${color.text2};
    text-align: center;
  }

  ${media.phone} {
    grid-template-columns: 1fr auto;

    /* Two lines, so that nothing moves while a finger goes over the days. */
    p {
      grid-row: 2;
      grid-column: 1 / -1;
      min-height: 36px;
      text-align: start;
    }
  }
`
