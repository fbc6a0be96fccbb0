import { lazy, Suspense } from 'react'
import type { DialogProps } from './DialogFrame'

const Frame = lazy(async () => ({ default: (await import('./DialogFrame')).DialogFrame }))

/** A sheet on a phone. Focus goes in, stays in, and returns. What it stands on comes when one is opened, or before. */
export function Dialog({ open, ...rest }: DialogProps & { open: boolean }) {
  return (
    open && (
      <Suspense fallback={null}>
        <Frame {...rest} />
      </Suspense>
    )
  )
}
