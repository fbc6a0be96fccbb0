import { Ellipsis } from 'lucide-react'
import { IconButton } from './Button'
import { Menu, type MenuEntry } from './Menu'

/** `of` names the row for screen readers. */
export function RowMenu({ of, entries }: { of: string; entries: MenuEntry[] }) {
  return (
    <Menu
      label={`${of} 的操作`}
      trigger={
        <IconButton label={`${of} 的更多操作`} size="sm">
          <Ellipsis size={18} strokeWidth={1.75} />
        </IconButton>
      }
      entries={entries}
    />
  )
}
