import {
  cloneElement,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react'
import { Opening } from './Opening'

/** What a menu needs of the button that opened it. */
export interface OpenedMenu {
  anchor: RefObject<HTMLElement | null>
  id: string
  /** Closed it stays, so that the focus finds its way back through what it opened. */
  open: boolean
  /** True: the menu itself. */
  focus: 'first' | 'last' | true
  onClose: () => void
}

/** The same button before and after its menu's code has come: whoever is on it stays there. */
export function MenuButton({
  trigger,
  menu,
}: {
  trigger: ReactElement<ComponentProps<'button'>>
  /** May be on its way. */
  menu: (opened: OpenedMenu) => ReactNode
}) {
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const [open, setOpen] = useState(false)
  const [focus, setFocus] = useState<OpenedMenu['focus'] | null>(null)
  const openAt = (at: OpenedMenu['focus']) => {
    setFocus(at)
    setOpen(true)
  }
  const giveUp = () => {
    setFocus(null)
    setOpen(false)
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        // Without a pointer the first entry has the focus at once.
        onClick: (event) => openAt(event.detail === 0 ? 'first' : true),
        onKeyDown: (event) => {
          const at = arrows[event.key]
          if (!at) return
          event.preventDefault()
          openAt(at)
        },
      })}
      {focus !== null && (
        // Another key is another opening: an arrow may be pressed while the first is still on its way.
        <Opening key={String(focus)} onGiveUp={giveUp}>
          {menu({ anchor: button, id, open, focus, onClose: () => setOpen(false) })}
        </Opening>
      )}
    </>
  )
}

const arrows: Record<string, OpenedMenu['focus']> = { ArrowDown: 'first', ArrowUp: 'last' }
