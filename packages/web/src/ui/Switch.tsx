import type { ComponentProps } from 'react'
import styled from 'styled-components'
import { color, focusRing, font, media, motion, radius } from '../theme/tokens'

/** `bare`: the label is for screen readers only. */
export function Switch({
  label,
  bare,
  ...input
}: Omit<ComponentProps<'input'>, 'type' | 'size'> & { label: string; bare?: boolean }) {
  return (
    <Row title={input.title}>
      <input
        type="checkbox"
        role="switch"
        {...input}
        aria-checked={input.checked ?? false}
        {...(bare ? { 'aria-label': label } : {})}
      />
      <Groove aria-hidden />
      {!bare && <span>{label}</span>}
    </Row>
  )
}

const Row = styled.label`
  position: relative;
  display: inline-flex;
  align-items: center;
  gap: 10px;
  vertical-align: middle;
  ${font.sm}
  cursor: pointer;

  input {
    position: absolute;
    width: 36px;
    height: 20px;
    margin: 0;
    opacity: 0;
    cursor: inherit;
  }

  &:has(:disabled) {
    cursor: not-allowed;
  }

  ${media.phone} {
    min-height: 44px;

    input {
      width: 44px;
      height: 44px;
    }
  }
`

const Groove = styled.span`
  position: relative;
  flex: none;
  width: 36px;
  height: 20px;
  border-radius: ${radius.pill};
  background: ${color.fieldLine};
  transition: background-color ${motion.state};

  &::after {
    content: '';
    position: absolute;
    top: 2px;
    left: 2px;
    width: 16px;
    height: 16px;
    border-radius: 50%;
    background: ${color.page};
    transition: transform ${motion.state};
  }

  input:checked + & {
    background: ${color.primary.fill};

    &::after {
      transform: translateX(16px);
    }
  }

  input:focus-visible + & {
    ${focusRing}
  }

  input:disabled + & {
    opacity: 0.5;
  }

  ${media.phone} {
    width: 44px;
    height: 24px;

    &::after {
      width: 20px;
      height: 20px;
    }

    input:checked + &::after {
      transform: translateX(20px);
    }
  }
`
