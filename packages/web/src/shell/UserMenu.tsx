import * as verbs from '@vps/shared/verbs'
import * as pages from '../page-names'
import { LogOut, UserRound } from 'lucide-react'
import { useLocation } from 'wouter'
import '../loading/overlays-early'
import { endSession } from '../api/session'
import { leaveSession } from './leave-session'
import { trpc } from '../api/trpc'
import { paths } from '../paths'
import { Menu } from '../ui/Menu'
import { UserButton } from './header-buttons'
import { isWithin } from './navigation'

/** Profile and sign-out. */
export default function UserMenu({ name, email, defaultOpen }: { name: string; email: string; defaultOpen: boolean }) {
  const [path] = useLocation()
  // The session ends whatever the server answers, which is told while the token is held.
  const signOut = trpc.accounts.signOut.useMutation({ onMutate: leaveSession, onSettled: endSession })
  return (
    <Menu
      label="用户菜单"
      defaultOpen={defaultOpen}
      trigger={<UserButton name={name} title={email} />}
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
