import { useRef, useState, type ComponentProps } from 'react'
import { Focusable, Tooltip, TooltipTrigger } from 'react-aria-components'
import styled from 'styled-components'
import { color, font, radius, shadow } from '../theme/tokens'
import { Button, type ButtonProps } from './Button'

/** On hover and focus; none without text. */
export function Tip({
  text,
  children,
}: {
  text: string | null | undefined
  children: ComponentProps<typeof Focusable>['children']
}) {
  const opening = useOpening()
  if (!text) return children
  return (
    <TooltipTrigger delay={300} closeDelay={100} {...opening}>
      <Focusable>{children}</Focusable>
      <Bubble offset={6}>{text}</Bubble>
    </TooltipTrigger>
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

const Bubble = styled(Tooltip)`
  max-width: 280px;
  padding: 6px 10px;
  border-radius: ${radius.control};
  background: ${color.text};
  color: ${color.page};
  box-shadow: ${shadow.menu};
  ${font.xs}
`
