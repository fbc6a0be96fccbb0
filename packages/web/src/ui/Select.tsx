import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, Label, ListBox, ListBoxItem, Select as AriaSelect, SelectValue } from 'react-aria-components'
import styled from 'styled-components'
import { color, focusRing, font, media, motion, radius } from '../theme/tokens'
import { Layer } from './Menu'

export interface Option<T extends string = string> {
  value: T
  label: ReactNode
  text: string
}

interface SelectProps<T extends string> {
  label: string
  options: Option<T>[]
  value: T | null
  onChange: (value: T) => void
  placeholder?: string
  disabled?: boolean
  /** Keeps the label for screen readers only, where the toolbar makes it plain. */
  bare?: boolean
  error?: string | undefined
}

/** One choice out of a list. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, options, value, onChange, placeholder = '请选择', disabled = false, bare, error } = props
  return (
    <Root
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(key as T)}
      isDisabled={disabled}
      isInvalid={Boolean(error)}
      placeholder={placeholder}
      {...(bare ? { 'aria-label': label } : {})}
    >
      {!bare && <Label>{label}</Label>}
      <Trigger $bad={Boolean(error)}>
        <SelectValue />
        <ChevronDown size={16} strokeWidth={1.75} aria-hidden />
      </Trigger>
      {error && <Problem>{error}</Problem>}
      <Layer offset={4}>
        <List>
          {options.map((option) => (
            <Item key={option.value} id={option.value} textValue={option.text}>
              {option.label}
              <Check size={16} strokeWidth={1.75} aria-hidden />
            </Item>
          ))}
        </List>
      </Layer>
    </Root>
  )
}

/** Options whose label is their text. */
export const options = <T extends string>(pairs: Iterable<readonly [T, string]>): Option<T>[] =>
  [...pairs].map(([value, text]) => ({ value, text, label: text }))

const Root = styled(AriaSelect)`
  display: flex;
  flex-direction: column;
  gap: 6px;
  min-width: 0;

  > label {
    ${font.sm}
    color: ${color.text2};
  }
`

const Trigger = styled(Button)<{ $bad: boolean }>`
  display: flex;
  align-items: center;
  gap: 8px;
  width: 100%;
  height: 36px;
  padding: 0 10px 0 12px;
  border: 1px solid ${({ $bad }) => ($bad ? color.error.text : color.fieldLine)};
  border-radius: ${radius.control};
  background: ${color.page};
  color: ${color.text};
  text-align: start;
  cursor: pointer;
  outline: none;
  transition: border-color ${motion.state};

  > span {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;

    &[data-placeholder] {
      color: ${color.text3};
    }

    svg {
      display: none;
    }
  }

  > svg {
    color: ${color.text3};
  }

  &[data-hovered] {
    border-color: ${color.primary.text};
  }

  &[data-focus-visible] {
    ${focusRing}
  }

  &[data-disabled] {
    border-color: ${color.line};
    background: ${color.surface};
    color: ${color.disabled};
    cursor: not-allowed;

    > span[data-placeholder],
    > svg {
      color: ${color.disabled};
    }
  }

  ${media.phone} {
    height: 44px;
  }
`

const Problem = styled.p`
  ${font.xs}
  color: ${color.error.text};
`

const List = styled(ListBox)`
  padding: 4px;
  outline: none;
`

const Item = styled(ListBoxItem)`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 16px;
  min-height: 34px;
  padding: 4px 12px;
  border-radius: ${radius.control};
  cursor: pointer;
  outline: none;

  > svg {
    visibility: hidden;
  }

  &[data-focused] {
    background: ${color.primary.tint};
  }

  &[data-selected] {
    color: ${color.primary.text};

    > svg {
      visibility: visible;
    }
  }

  ${media.phone} {
    min-height: 44px;
  }
`
