import { useState, type ReactNode } from 'react'
import styled, { keyframes } from 'styled-components'
import { color, font, media, motion, radius } from '../theme/tokens'
import { Spinner } from './Spinner'

export type ChipTone = 'success' | 'info' | 'warning' | 'error' | 'primary' | 'neutral' | 'unknown'

/** Never colour alone. A change of the word is noticed once. */
export function Chip({ tone, busy, children }: { tone: ChipTone; busy?: boolean; children: ReactNode }) {
  const changes = useChanges(children)
  return (
    <Pill $tone={tone}>
      {busy ? <Spinner $size={12} /> : <Dot key={changes} data-changed={changes > 0 || undefined} />}
      {children}
    </Pill>
  )
}

function useChanges(children: ReactNode): number {
  const word = typeof children === 'string' ? children : null
  const [shown, setShown] = useState({ word, changes: 0 })
  if (shown.word === word) return shown.changes
  const changes = shown.changes + 1
  setShown({ word, changes })
  return changes
}

/** A mark without a state, such as 推荐. */
export const Tag = styled.span<{ $tone?: 'primary' | 'success' | 'warning' | 'error' | 'neutral' }>`
  display: inline-flex;
  align-items: center;
  height: 20px;
  padding: 0 8px;
  border-radius: ${radius.pill};
  ${font.xs}
  white-space: nowrap;
  ${({ $tone = 'primary' }) =>
    $tone === 'neutral'
      ? `background: ${color.sunken}; color: ${color.text2};`
      : `background: ${color[$tone].tint}; color: ${color[$tone].text};`}
`

const Pill = styled.span<{ $tone: ChipTone }>`
  display: inline-flex;
  align-items: center;
  gap: 6px;
  height: 22px;
  vertical-align: middle;
  padding: 0 9px 0 8px;
  border: 1px ${({ $tone }) => ($tone === 'unknown' ? 'dashed' : 'solid')} transparent;
  border-radius: ${radius.pill};
  ${font.xs}
  white-space: nowrap;
  ${({ $tone }) =>
    $tone === 'neutral' || $tone === 'unknown'
      ? `background: ${color.sunken}; color: ${color.text2}; ${$tone === 'unknown' ? `border-color: ${color.fieldLine};` : ''}`
      : `background: ${color[$tone].tint}; color: ${color[$tone].text};`}

  ${media.phone} {
    height: 24px;
  }
`

const notice = keyframes`
  40% { transform: scale(2); }
`

const Dot = styled.i`
  width: 6px;
  height: 6px;
  border-radius: 2px;
  background: currentColor;

  &[data-changed] {
    animation: ${notice} ${motion.arrival};
  }
`
