import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { ClipboardList, Keyboard, LogOut, Moon, Server, Sun } from 'lucide-react'
import { useMemo } from 'react'
import { endSession, useSession } from '../api/session'
import { leaveSession } from './leave-session'
import { trpc } from '../api/trpc'
import { paths } from '../paths'
import { useTheme } from '../theme/ThemeProvider'
import { leadTo } from '../ui/lead-to'
import { useShopSearch } from './shop-search'
import type { Entry, Section } from './palette-section'
import { isGroup, navigationFor } from './navigation'
import { navigationIcons } from './navigation-icons'

/** An operator's finds come before their own servers. */
export function useSections(typed: string, onShowKeys: () => void): { sections: Section[]; searching: boolean } {
  const { token, user } = useSession()
  const theme = useTheme()
  const shop = useShopSearch(typed)
  const orders = trpc.orders.list.useQuery(undefined, { enabled: token !== null })
  const signOut = trpc.accounts.signOut.useMutation({ onMutate: leaveSession, onSettled: endSession })

  const pages = navigationFor({ token, user })
    .flatMap((item) => (isGroup(item) ? item.entries : [item]))
    .concat({ label: labels.announcement, href: paths.notices(), icon: 'Bell' })
    .map(({ label, href, icon }): Entry => ({
      id: href,
      label,
      icon: navigationIcons[icon],
      run: () => leadTo(href),
    }))

  const found = useMemo(() => orders.data ?? [], [orders.data])
  const servers = found
    .filter(({ status }) => status === 'ACTIVE' || status === 'SUSPENDED')
    .map((order): Entry => ({
      id: `server-${order.id}`,
      label: order.serverName,
      note: order.ipAddress ?? '',
      icon: Server,
      run: () => leadTo(paths.console(order.id)),
    }))
  const orderEntries = found.map((order): Entry => ({
    id: `order-${order.id}`,
    label: order.orderNumber,
    note: order.serverName,
    icon: ClipboardList,
    run: () => leadTo(paths.orders(order.id)),
  }))
  const dark = theme.palette.mode === 'dark'
  const acts: Entry[] = [
    {
      id: 'mode',
      label: dark ? '切换到浅色' : '切换到深色',
      icon: dark ? Sun : Moon,
      run: () => theme.setMode(dark ? 'light' : 'dark'),
    },
    { id: 'keys', label: verbs.showKeys, note: '?', icon: Keyboard, run: onShowKeys },
    ...(token === null
      ? []
      : [
          {
            id: 'sign-out',
            label: verbs.signOut,
            icon: LogOut,
            run: () => signOut.mutate(),
          },
        ]),
  ]
  const sections = [
    ...shop.sections,
    { name: labels.server, entries: servers },
    { name: '页面', entries: pages },
    { name: labels.actions, entries: acts },
    { name: labels.order, entries: orderEntries },
  ].filter(({ entries }) => entries.length > 0)
  return { sections, searching: shop.searching }
}
