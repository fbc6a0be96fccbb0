import { MenuLayer } from '../ui/Menu'
import type { OpenedMenu } from '../ui/MenuButton'
import { Waiting } from '../ui/Waiting'
import { isWithin, type NavGroup } from './navigation'
import { navigationIcons } from './navigation-icons'
import { useWaiting } from './waiting'

/** With what waits in it. */
export default function NavMenu({ group, path, ...opened }: OpenedMenu & { group: NavGroup; path: string }) {
  const waitingIn = useWaiting()
  return (
    <MenuLayer
      {...opened}
      label={group.label}
      entries={group.entries.map((entry) => {
        const Icon = navigationIcons[entry.icon]
        return {
          id: entry.href,
          label: entry.label,
          href: entry.href,
          current: isWithin(path, entry.href),
          icon: <Icon size={16} strokeWidth={1.75} aria-hidden />,
          count: waitingIn(entry),
        }
      })}
    />
  )
}

/** Of all its entries, on its button. */
export function GroupWaiting({ group }: { group: NavGroup }) {
  const waitingIn = useWaiting()
  const waiting = group.entries.reduce((sum, entry) => sum + waitingIn(entry), 0)
  return waiting > 0 && <Waiting count={waiting} />
}
