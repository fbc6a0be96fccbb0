import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'
import { useStayBeside } from './focus-beside'

export type AlertTone = 'error' | 'success' | 'warning' | 'info'

const icons = { error: CircleAlert, success: CircleCheck, warning: TriangleAlert, info: Info }

/** An error is announced at once. */
export function Alert({
  tone,
  children,
  action,
  onClose,
}: {
  tone: AlertTone
  children: ReactNode
  action?: ReactNode
  onClose?: () => void
}) {
  const Icon = icons[tone]
  const place = useRef<HTMLDivElement>(null)
  useStayBeside(place)
  return (
    <Strip ref={place} role={tone === 'error' ? 'alert' : 'status'} $tone={tone}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <div>{children}</div>
      {action}
      {onClose && (
        <Close type="button" aria-label="关闭提示" onClick={onClose}>
          <X size={16} strokeWidth={1.75} />
        </Close>
      )}
    </Strip>
  )
}

const Strip = styled.div<{ $tone: AlertTone }>`
  display: flex;
  align-items: center;
  gap: 10px;
  padding: 9px 12px;
  border-radius: ${radius.control};
  background: ${({ $tone }) => color[$tone].tint};
  color: ${color.text};
  ${font.sm}

  > svg {
    flex: none;
    color: ${({ $tone }) => color[$tone].text};
  }

  > div {
    flex: 1;
    min-width: 0;
  }
`

const Close = styled.button`
  display: inline-grid;
  place-items: center;
  width: 28px;
  height: 28px;
  margin: -3px -6px -3px 0;
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: ${color.text2};
  cursor: pointer;

  &:hover {
    color: ${color.text};
  }
`
