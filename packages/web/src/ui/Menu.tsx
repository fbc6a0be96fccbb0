import type { ComponentProps, ReactElement } from 'react'
import { late } from './late'
import { MenuButton } from './MenuButton'
import type { MenuEntry } from './MenuLayer'

const { Late: MenuLayer, bring: bringMenus } = late(async () => (await import('./MenuLayer')).MenuLayer)

export { bringMenus, MenuLayer, type MenuEntry }

/** Its library comes when one is opened, or before. */
export function Menu({
  trigger,
  label,
  entries,
}: {
  trigger: ReactElement<ComponentProps<'button'>>
  label: string
  entries: MenuEntry[]
}) {
  return <MenuButton trigger={trigger} menu={(opened) => <MenuLayer {...{ label, entries, ...opened }} />} />
}
