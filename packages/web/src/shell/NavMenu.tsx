import { Menu } from '../ui/Menu'
import { GroupButton } from './header-buttons'
import { isWithin, type NavGroup } from './navigation'

/** A group of the bar as a menu. */
export default function NavMenu({ group, path, defaultOpen }: { group: NavGroup; path: string; defaultOpen: boolean }) {
  const current = group.entries.some(({ href }) => isWithin(path, href))
  return (
    <Menu
      label={group.label}
      defaultOpen={defaultOpen}
      trigger={<GroupButton label={group.label} current={current} />}
      entries={group.entries.map(({ label, href, icon: Icon }) => ({
        id: href,
        label,
        href,
        current: isWithin(path, href),
        icon: <Icon size={16} strokeWidth={1.75} aria-hidden />,
      }))}
    />
  )
}
