import * as verbs from '@vps/shared/verbs'
import * as pages from '../page-names'
import { LogOut, UserRound } from 'lucide-react'
import { useLocation } from 'wouter'
import '../loading/overlays-early'
import { endSession } from '../api/session'
import { leaveSession } from './leave-session'
import { trpc } from '../api/trpc'
import { paths } from '../paths'
import { MenuLayer } from '../ui/Menu'
import type { OpenedMenu } from '../ui/MenuButton'
import { isWithin } from './navigation'

/** Profile and sign-out. */
export default function UserMenu(opened: OpenedMenu) {
  const [path] = useLocation()
  // The session ends whatever the server answers, which is told while the token is held.
  const signOut = trpc.accounts.signOut.useMutation({ onMutate: leaveSession, onSettled: endSession })
  return (
    <MenuLayer
      {...opened}
      label="用户菜单"
      entries={[
        {
          id: 'profile',
          label: pages.profile,
          icon: <UserRound size={16} strokeWidth={1.75} aria-hidden />,
          href: paths.profile(),
          current: isWithin(path, paths.profile()),
        },
        {
          id: 'sign-out',
          label: verbs.signOut,
          icon: <LogOut size={16} strokeWidth={1.75} aria-hidden />,
          onAction: () => signOut.mutate(),
        },
      ]}
    />
  )
}
