import { Minus, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import styled from 'styled-components'
import { color, font, media, motion, radius } from '../theme/tokens'
import { settledNumber } from './settled-number'
import { unzoomed } from './unzoomed'

interface StepperProps {
  label: string
  unit: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/** A small number, stepped or typed. */
export function Stepper({ label, unit, value, min, max, onChange }: StepperProps) {
  const id = useId()
  // Unfinished until blur.
  const [typed, setTyped] = useState<string | null>(null)

  function settle(text: string) {
    setTyped(null)
    const settled = settledNumber(text, { min, max, step: 1 })
    if (settled !== null) onChange(settled)
  }

  // At its end a button stays where the focus is.
  const step = (by: 1 | -1) => {
    const next = value + by
    const ends = next < min || next > max
    return { type: 'button', 'aria-disabled': ends, onClick: () => !ends && onChange(next) } as const
  }

  return (
    <Root>
      <label htmlFor={id}>{label}</label>
      <Box>
        <button {...step(-1)} aria-label={`减少${label}`}>
          <Minus size={16} strokeWidth={1.75} aria-hidden />
        </button>
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          value={typed ?? value}
          onChange={(event) => {
            const next = event.target.valueAsNumber
            if (Number.isInteger(next) && next >= min && next <= max) settle(event.target.value)
            else setTyped(event.target.value)
          }}
          // Else who scrolls on turns the number.
          onWheel={({ currentTarget }) => currentTarget.blur()}
          onBlur={(event) => settle(event.target.value)}
        />
        <button {...step(1)} aria-label={`增加${label}`}>
          <Plus size={16} strokeWidth={1.75} aria-hidden />
        </button>
      </Box>
      <span>{unit}</span>
    </Root>
  )
}

const Root = styled.div`
  display: inline-flex;
  align-items: center;
  gap: 12px;
  color: ${color.text2};
`

const Box = styled.div`
  display: inline-flex;
  border: 1px solid ${color.fieldLine};
  border-radius: ${radius.control};
  background: ${color.page};
  overflow: clip;

  &:focus-within {
    border-color: ${color.primary.text};
  }

  button,
  input {
    width: 36px;
    height: 34px;
    border: 0;
    background: transparent;
    color: ${color.text};
  }

  button {
    display: grid;
    place-items: center;
    cursor: pointer;
    transition: background-color ${motion.state};

    &:hover:not([aria-disabled='true']) {
      background: ${color.primary.tint};
      color: ${color.primary.text};
    }

    &[aria-disabled='true'] {
      color: ${color.text3};
      cursor: not-allowed;
    }

    &:focus-visible {
      outline-offset: -2px;
    }
  }

  input {
    width: 44px;
    border: solid ${color.line};
    border-width: 0 1px;
    text-align: center;
    appearance: textfield;
    ${font.numbers}
    ${unzoomed}

    &::-webkit-inner-spin-button,
    &::-webkit-outer-spin-button {
      appearance: none;
      margin: 0;
    }
  }

  ${media.phone} {
    button,
    input {
      width: 44px;
      height: 44px;
    }

    input {
      width: 56px;
    }
  }
`
