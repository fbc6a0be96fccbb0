import type { LucideIcon } from 'lucide-react'
import styled from 'styled-components'
import { color, radius } from '../theme/tokens'

/** An unlit cell: not there yet, or failed. */
export function Slot({ icon: Icon, bad = false }: { icon: LucideIcon; bad?: boolean }) {
  return (
    <Cell $bad={bad}>
      <Icon size={24} strokeWidth={1.75} aria-hidden />
    </Cell>
  )
}

/** Its neighbours are shadows: nothing to lay out, and nothing that widens a narrow page. */
const Cell = styled.div<{ $bad: boolean }>`
  display: grid;
  place-items: center;
  width: 48px;
  height: 48px;
  margin-bottom: 8px;
  border: 1.5px dashed ${({ $bad }) => ($bad ? 'transparent' : color.fieldLine)};
  border-radius: ${radius.dialog};
  background: ${({ $bad }) => ($bad ? color.error.tint : color.page)};
  color: ${({ $bad }) => ($bad ? color.error.text : color.text3)};
  box-shadow:
    -48px 0 0 -8px ${color.line},
    48px 0 0 -8px ${color.line},
    -84px 0 0 -12px ${color.line},
    84px 0 0 -12px ${color.line},
    -112px 0 0 -16px ${color.line},
    112px 0 0 -16px ${color.line};
`
