import type { DialogProps } from './DialogFrame'
import { Opening } from './Opening'
import { late } from './late'

const { Late: Frame, bring: bringDialogs } = late(async () => (await import('./DialogFrame')).DialogFrame)

export { bringDialogs }

/** A sheet on a phone. Focus goes in, stays in, and returns. Its library comes when one is opened, or before. */
export function Dialog({ open, ...rest }: DialogProps & { open: boolean }) {
  return (
    open && (
      <Opening onGiveUp={() => rest.persistent || rest.onClose()}>
        <Frame {...rest} />
      </Opening>
    )
  )
}
