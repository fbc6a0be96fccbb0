import { Menu } from '../ui/Menu'
import { GroupButton } from './header-buttons'
import type { NavGroup } from './navigation'

/** A group of the bar as a menu. */
export default function NavMenu({ group, path, defaultOpen }: { group: NavGroup; path: string; defaultOpen: boolean }) {
  const current = group.entries.some((entry) => entry.href === path)
  return (
    <Menu
      label={group.label}
      defaultOpen={defaultOpen}
      trigger={<GroupButton label={group.label} current={current} />}
      entries={group.entries.map(({ label, href, icon: Icon }) => ({
        id: href,
        label,
        href,
        current: href === path,
        icon: <Icon size={16} strokeWidth={1.75} aria-hidden />,
      }))}
    />
  )
}
