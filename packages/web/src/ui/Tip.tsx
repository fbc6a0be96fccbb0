import { Suspense, useRef, useState } from 'react'
import { mergeProps } from 'react-aria/mergeProps'
import { useTooltipTrigger } from 'react-aria/useTooltipTrigger'
import { useTooltipTriggerState } from 'react-stately/useTooltipTriggerState'
import { Button, type ButtonProps } from './Button'
import { late } from './late'

const { Late: TipBubble, bring: bringTips } = late(async () => (await import('./TipBubble')).TipBubble)

export { bringTips }

/** Focusable, so that the reason can be read. The same button whether there is one or none: it keeps the focus. */
export function ReasonButton({ reason, onClick, ...rest }: ButtonProps & { reason: string | null | undefined }) {
  const anchor = useRef<HTMLButtonElement>(null)
  const isDisabled = !reason
  const state = useTooltipTriggerState({ isDisabled, delay: 300, closeDelay: 100, ...useOpening(isDisabled) })
  const { triggerProps, tooltipProps } = useTooltipTrigger({ isDisabled }, state, anchor)
  const button = reason ? { 'aria-disabled': true, type: 'button' as const } : { onClick }
  return (
    <>
      <Button {...mergeProps({ ...rest, ...button }, triggerProps)} ref={anchor} />
      {reason && state.isOpen && (
        <Suspense fallback={null}>
          <TipBubble id={tooltipProps.id} text={reason} {...{ anchor, state }} />
        </Suspense>
      )}
    </>
  )
}

/** From the next frame on: until then the page moves to what got the focus, and a tooltip closes when it moves. */
function useOpening(isDisabled: boolean) {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef(0)
  // Without a reason the mouse's leaving is not heard.
  if (isDisabled && isOpen) setOpen(false)

  function onOpenChange(next: boolean) {
    cancelAnimationFrame(frame.current)
    if (next) frame.current = requestAnimationFrame(() => setOpen(true))
    else setOpen(false)
  }

  return { isOpen, onOpenChange }
}
