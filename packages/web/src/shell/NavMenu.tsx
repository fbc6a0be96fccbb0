import { Menu } from '../ui/Menu'
import { Waiting } from '../ui/Waiting'
import { GroupButton } from './header-buttons'
import { isWithin, type NavGroup } from './navigation'
import { navigationIcons } from './navigation-icons'
import { useWaiting } from './waiting'

/** With what waits in it. */
export default function NavMenu({ group, path, defaultOpen }: { group: NavGroup; path: string; defaultOpen: boolean }) {
  const current = group.entries.some(({ href }) => isWithin(path, href))
  const waitingIn = useWaiting()
  const waiting = group.entries.reduce((sum, entry) => sum + waitingIn(entry), 0)
  return (
    <Menu
      label={group.label}
      defaultOpen={defaultOpen}
      trigger={
        <GroupButton label={group.label} current={current}>
          {waiting > 0 && <Waiting count={waiting} />}
        </GroupButton>
      }
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
