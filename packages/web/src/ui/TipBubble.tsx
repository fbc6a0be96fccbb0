import type { RefObject } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import type { TooltipTriggerState } from 'react-stately/useTooltipTriggerState'
import styled from 'styled-components'
import { color, font, radius, shadow } from '../theme/tokens'

/** What a tip says, beside its subject. */
export function TipBubble({
  id,
  text,
  anchor,
  state,
}: {
  id: string | undefined
  text: string
  anchor: RefObject<HTMLElement | null>
  state: TooltipTriggerState
}) {
  return (
    <TooltipTriggerStateContext value={state}>
      <Bubble {...(id && { id })} triggerRef={anchor} offset={6}>
        {text}
      </Bubble>
    </TooltipTriggerStateContext>
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
