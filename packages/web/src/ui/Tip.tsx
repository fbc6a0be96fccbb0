import { cloneElement, Suspense, useRef, useState, type ComponentProps, type ReactElement } from 'react'
import { mergeProps } from 'react-aria/mergeProps'
import { useTooltipTrigger } from 'react-aria/useTooltipTrigger'
import { useTooltipTriggerState } from 'react-stately/useTooltipTriggerState'
import { Button, type ButtonProps } from './Button'
import { late } from './late'

const { Late: TipBubble, bring: bringTips } = late(async () => (await import('./TipBubble')).TipBubble)

export { bringTips }

type Told = ReactElement<ComponentProps<'button'>>

/** On hover and focus; none without text. */
export function Tip({ text, children }: { text: string | null | undefined; children: Told }) {
  return text ? <WithTip text={text}>{children}</WithTip> : children
}

function WithTip({ text, children }: { text: string; children: Told }) {
  const anchor = useRef<HTMLButtonElement>(null)
  const state = useTooltipTriggerState({ delay: 300, closeDelay: 100, ...useOpening() })
  const { triggerProps, tooltipProps } = useTooltipTrigger({}, state, anchor)
  return (
    <>
      {cloneElement(children, { ...mergeProps(children.props, triggerProps), ref: anchor })}
      {state.isOpen && (
        <Suspense fallback={null}>
          <TipBubble id={tooltipProps.id} {...{ text, anchor, state }} />
        </Suspense>
      )}
    </>
  )
}

/** From the next frame on: until then the page moves to what got the focus, and a tooltip closes when it moves. */
function useOpening() {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef(0)

  function onOpenChange(next: boolean) {
    cancelAnimationFrame(frame.current)
    if (next) frame.current = requestAnimationFrame(() => setOpen(true))
    else setOpen(false)
  }

  return { isOpen, onOpenChange }
}

/** Focusable, so that the reason can be read. */
export function ReasonButton({ reason, onClick, ...rest }: ButtonProps & { reason: string | null | undefined }) {
  if (!reason) return <Button {...rest} onClick={onClick} />
  return (
    <Tip text={reason}>
      <Button {...rest} aria-disabled="true" type="button" />
    </Tip>
  )
}
