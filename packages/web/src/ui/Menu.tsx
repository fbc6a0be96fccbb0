import { cloneElement, useId, useRef, useState, type ComponentProps, type ReactElement } from 'react'
import { late } from './late'
import type { MenuEntry } from './MenuLayer'
import { Opening } from './Opening'

const { Late: MenuLayer, bring: bringMenus } = late(async () => (await import('./MenuLayer')).MenuLayer)

export { bringMenus, type MenuEntry }

type Focus = ComponentProps<typeof MenuLayer>['focus']

/** Its library comes when one is opened, or before. */
export function Menu({
  trigger,
  label,
  entries,
  defaultOpen = false,
}: {
  trigger: ReactElement<ComponentProps<'button'>>
  label: string
  entries: MenuEntry[]
  defaultOpen?: boolean
}) {
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const [open, setOpen] = useState(defaultOpen)
  const [focus, setFocus] = useState<Focus | null>(defaultOpen ? 'first' : null)
  const openAt = (at: Focus) => {
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
        <Opening onGiveUp={giveUp}>
          {/* Another key is another opening: an arrow may be pressed while the first is still on its way. */}
          <MenuLayer
            key={String(focus)}
            {...{ id, label, entries, open, focus }}
            anchor={button}
            onClose={() => setOpen(false)}
          />
        </Opening>
      )}
    </>
  )
}

const arrows: Record<string, Focus> = { ArrowDown: 'first', ArrowUp: 'last' }
