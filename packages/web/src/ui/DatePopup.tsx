import type { ComponentProps, RefObject } from 'react'
import { Dialog, Popover } from 'react-aria-components'
import styled from 'styled-components'
import { color, radius, shadow } from '../theme/tokens'
import { DateCalendar } from './DateCalendar'

/** Picking a day closes it. */
export function DatePopup({
  anchor,
  what,
  onPick,
  onMonth,
  onClose,
  ...days
}: ComponentProps<typeof DateCalendar> & {
  anchor: RefObject<HTMLElement | null>
  what: string
  onClose: () => void
}) {
  return (
    <Layer triggerRef={anchor} isOpen onOpenChange={(open) => !open && onClose()} placement="bottom end" offset={6}>
      <Dialog aria-label={what}>
        <DateCalendar
          {...days}
          onPick={(day) => {
            onPick(day)
            onClose()
          }}
          onMonth={
            onMonth &&
            ((first, last) => {
              onMonth(first, last)
              onClose()
            })
          }
        />
      </Dialog>
    </Layer>
  )
}

const Layer = styled(Popover)`
  /* No higher than the window leaves it. */
  overflow: auto;
  border-radius: ${radius.card};
  background: ${color.raised};
  box-shadow: ${shadow.menu};

  [role='dialog'] {
    outline: none;
  }
`
