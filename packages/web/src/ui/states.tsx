import * as verbs from '@vps/shared/verbs'
import { Inbox, SearchX, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useRef, type MouseEvent, type ReactNode } from 'react'
import styled, { keyframes } from 'styled-components'
import { messageOf, requestIdOf } from '../api/errors'
import { color, font } from '../theme/tokens'
import { Button } from './Button'
import { useStayBeside } from './focus-beside'
import { Slot } from './Slot'

/** What would be here, and what to do next. */
export function Empty({
  icon = Inbox,
  title,
  children,
  action,
}: {
  icon?: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <Middle data-empty>
      <Slot icon={icon} />
      <b>{title}</b>
      {children && <p>{children}</p>}
      {action}
    </Middle>
  )
}

/** Something exists, but not with these filters. */
export function NothingFound({ what, onClear }: { what: string; onClear: (event: MouseEvent) => void }) {
  return <Empty icon={SearchX} title={`没有符合条件的${what}`} action={<Button onClick={onClear}>清除筛选</Button>} />
}

/** `reason` where the screen has words of its own. */
export function Failed({
  title,
  error,
  reason = messageOf(error),
  onRetry,
  hint,
}: {
  title: string
  error: unknown
  reason?: string
  onRetry: () => void
  hint?: string
}) {
  const requestId = requestIdOf(error)
  const place = useRef<HTMLDivElement>(null)
  useStayBeside(place)
  return (
    <Middle role="alert" ref={place}>
      <Slot icon={TriangleAlert} bad />
      <b>{title}</b>
      <p>{reason}</p>
      {hint && <p>{hint}</p>}
      {requestId && <p>请求编号：{requestId}</p>}
      <Button onClick={onRetry}>{verbs.retry}</Button>
    </Middle>
  )
}

const pulse = keyframes`
  50% { opacity: 0.55; }
`

const wait = keyframes`
  from { visibility: hidden; }
  to { visibility: visible; }
`

/** After 150 ms, so quick answers do not blink. */
export const Bar = styled.span<{ $width?: string; $height?: number }>`
  display: inline-block;
  width: ${({ $width = '100%' }) => $width};
  max-width: 100%;
  height: ${({ $height = 14 }) => $height}px;
  border-radius: 4px;
  background: ${color.sunken};
  vertical-align: middle;
  animation:
    ${wait} 150ms step-end backwards,
    ${pulse} 1.4s ease-in-out 150ms infinite;
`

/** Heard once by screen readers. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-label={label}>
      <div aria-hidden>{children}</div>
    </div>
  )
}

const Middle = styled.div`
  display: grid;
  justify-items: center;
  align-content: center;
  gap: 8px;
  min-height: 240px;
  padding: 32px 16px;
  text-align: center;

  p {
    max-width: 45em;
    color: ${color.text3};
    ${font.xs}
  }

  > button,
  > a {
    margin-top: 8px;
  }
`
