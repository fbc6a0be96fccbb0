import { useId, useState } from 'react'
import styled from 'styled-components'
import { settledNumber } from './settled-number'
import { color, font, media, motion, radius } from '../theme/tokens'
import { unzoomed } from './unzoomed'

declare module 'react' {
  interface CSSProperties {
    '--share'?: string
  }
}

interface SliderProps {
  label: string
  unit: string
  value: number
  min: number
  max: number
  step?: number
  disabled?: boolean
  /** Takes the focus. */
  isFirst?: boolean
  note?: string | undefined
  onChange: (value: number) => void
}

const takeFocus = (input: HTMLInputElement | null) => input?.focus()

/** The browser's own controls, so nothing is loaded. */
export function Slider({ label, unit, value, min, max, step = 1, disabled = false, ...rest }: SliderProps) {
  const { isFirst = false, note, onChange } = rest
  const id = useId()
  // Unfinished until blur.
  const [typed, setTyped] = useState<string | null>(null)

  // Only what was typed: the value itself may be between two steps, as what a plan includes is.
  function settle() {
    if (typed === null) return
    setTyped(null)
    const settled = settledNumber(typed, { min, max, step })
    if (settled !== null) onChange(settled)
  }

  return (
    <Root>
      <label htmlFor={id}>{label}</label>
      <Amount>
        <input
          aria-label={`${label}数值`}
          inputMode="numeric"
          value={typed ?? value}
          disabled={disabled}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={settle}
          onKeyDown={(event) => event.key === 'Enter' && settle()}
        />
        <span>{unit}</span>
      </Amount>
      <Track
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        ref={isFirst ? takeFocus : null}
        aria-valuetext={`${value} ${unit}${note ? `，${note}` : ''}`}
        onChange={(event) => onChange(Number(event.target.value))}
        style={{ '--share': `${((value - min) / (max - min)) * 100}%` }}
      />
      <Limits aria-hidden>
        <span>{min}</span>
        {note && <b>{note}</b>}
        <span>{max}</span>
      </Limits>
    </Root>
  )
}

const Root = styled.div`
  display: grid;
  grid-template-columns: 1fr auto;
  align-items: center;
  gap: 6px 16px;

  > label {
    ${font.sm}
    ${font.strong}
  }
`

const Amount = styled.div`
  display: inline-flex;
  align-items: center;
  gap: 8px;
  color: ${color.text3};
  ${font.sm}

  > span {
    min-width: 36px;
  }

  input {
    width: 72px;
    height: 32px;
    padding: 0 10px;
    border: 1px solid ${color.fieldLine};
    border-radius: ${radius.control};
    background: ${color.page};
    color: ${color.text};
    text-align: right;
    ${font.numbers}
    ${unzoomed}

    &:disabled {
      border-color: ${color.line};
      background: ${color.surface};
      color: ${color.text2};
    }
  }

  ${media.phone} {
    input {
      height: 44px;
    }
  }
`

const thumb = `
  width: 20px;
  height: 20px;
  border: 2px solid ${color.primary.brand};
  border-radius: 50%;
  background: ${color.page};
`

const groove = `
  height: 4px;
  border-radius: 2px;
  background: linear-gradient(to right, ${color.primary.brand} var(--share), ${color.line} var(--share));
`

const Track = styled.input`
  grid-column: 1 / -1;
  appearance: none;
  width: 100%;
  height: 24px;
  margin: 0;
  background: transparent;
  cursor: pointer;

  &::-webkit-slider-runnable-track {
    ${groove}
  }

  &::-moz-range-track {
    ${groove}
  }

  &::-webkit-slider-thumb {
    appearance: none;
    margin-top: -8px;
    ${thumb}
    transition: box-shadow ${motion.state};
  }

  &::-moz-range-thumb {
    box-sizing: border-box;
    ${thumb}
  }

  &:hover:not(:disabled)::-webkit-slider-thumb,
  &:active:not(:disabled)::-webkit-slider-thumb {
    box-shadow: 0 0 0 6px ${color.primary.tint};
  }

  &:focus-visible {
    outline-offset: 0;
  }

  &:disabled {
    cursor: not-allowed;
    filter: grayscale(1);
    opacity: 0.7;
  }

  ${media.phone} {
    height: 44px;

    &::-webkit-slider-thumb {
      width: 28px;
      height: 28px;
      margin-top: -12px;
    }

    &::-moz-range-thumb {
      width: 28px;
      height: 28px;
    }
  }
`

const Limits = styled.div`
  grid-column: 1 / -1;
  display: flex;
  justify-content: space-between;
  margin-top: -6px;
  ${font.xs}
  ${font.numbers}
  color: ${color.text3};

  b {
    font-weight: 400;
    color: ${color.text2};
  }
`
