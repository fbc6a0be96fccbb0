import { useId, type ReactNode, type Ref } from 'react'
import styled from 'styled-components'
import { color, font, media, motion, radius, shadow } from '../theme/tokens'
import { Fault, Label, Stack } from './Field'
import { unzoomed } from './unzoomed'

export interface Option<T extends string = string> {
  value: T
  text: string
}

interface SelectProps<T extends string> {
  label: ReactNode
  options: Option<T>[]
  value: T | null
  onChange: (value: T) => void
  placeholder?: string
  disabled?: boolean
  bare?: boolean
  error?: string | undefined
  ref?: Ref<HTMLSelectElement>
}

/** The browser's own: weighs nothing, a phone shows its wheel, and `base-select` themes its list. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, options, value, onChange, placeholder = '请选择', disabled = false, bare = false, error, ref } = props
  const id = useId()
  return (
    <Stack>
      <Label htmlFor={id} $bare={bare}>
        {label}
      </Label>
      <Control
        id={id}
        ref={ref}
        value={value ?? ''}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {value === null && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </Control>
      {error && <Fault of={id}>{error}</Fault>}
    </Stack>
  )
}

/** From pairs of value and text. */
export const options = <T extends string>(pairs: Iterable<readonly [T, string]>): Option<T>[] =>
  [...pairs].map(([value, text]) => ({ value, text }))

const stroke = (angle: string) => `linear-gradient(${angle}, #0000 42%, ${color.text3} 42% 58%, #0000 58%)`

/** Its text lies in a box of the browser's own, which only a clip cuts off, as all else beside it: the arrow is background. */
const Control = styled.select`
  width: 100%;
  height: 36px;
  padding: 0 32px 0 12px;
  border: 1px solid ${color.fieldLine};
  border-radius: ${radius.control};
  background:
    right 17px center / 6px 6px no-repeat ${stroke('45deg')},
    right 12px center / 6px 6px no-repeat ${stroke('135deg')},
    ${color.page};
  color: ${color.text};
  ${font.sm}
  ${unzoomed}
  cursor: pointer;
  text-overflow: ellipsis;
  transition: border-color ${motion.state};

  &[aria-invalid] {
    border-color: ${color.error.text};
  }

  &:hover:not(:disabled) {
    border-color: ${color.primary.text};
  }

  &:disabled {
    border-color: ${color.line};
    background-color: ${color.surface};
    color: ${color.disabled};
    cursor: not-allowed;
  }

  ${media.phone} {
    height: 44px;
  }

  @supports not (appearance: base-select) {
    appearance: none;
  }

  @supports (appearance: base-select) {
    &,
    &::picker(select) {
      appearance: base-select;
    }

    display: inline-flex;
    align-items: center;
    overflow: clip;
    overflow-clip-margin: content-box;
    white-space: nowrap;

    &::picker-icon {
      display: none;
    }

    &::picker(select) {
      margin-top: 4px;
      padding: 4px;
      border: 0;
      border-radius: ${radius.card};
      background: ${color.raised};
      color: ${color.text};
      box-shadow: ${shadow.menu};
    }

    option {
      display: flex;
      align-items: center;
      min-height: 34px;
      padding: 4px 12px;
      border-radius: ${radius.control};
      white-space: normal;
      cursor: pointer;
    }

    option:hover,
    option:focus-visible {
      background: ${color.primary.tint};
    }

    option:checked {
      color: ${color.primary.text};
    }

    option::checkmark {
      order: 1;
      margin-left: auto;
      padding-left: 16px;
    }

    ${media.phone} {
      option {
        min-height: 44px;
      }
    }
  }
`
