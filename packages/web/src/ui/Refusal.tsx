import type { ReactNode } from 'react'
import { Alert } from './Alert'

/** Why a press was refused; brought into view, as below a long form nobody would see it. */
export function Refusal({ children }: { children: ReactNode }) {
  return (
    <div ref={intoView}>
      <Alert tone="error">{children}</Alert>
    </div>
  )
}

/** A ref, for what has just come. */
export function intoView(shown: HTMLElement | null): void {
  shown?.scrollIntoView({ block: 'nearest' })
}
