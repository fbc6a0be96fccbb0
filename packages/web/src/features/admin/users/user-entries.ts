import * as text from '@vps/shared/text'
import * as pages from '../../../page-names'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { paths } from '../../../paths'
import type { MenuEntry } from '../../../ui/Menu'

export interface Acts {
  adjust: (user: AdminUserView) => void
  status: (user: AdminUserView) => void
  role: (user: AdminUserView) => void
  secondFactor: (user: AdminUserView) => void
}

/** What a row offers. */
export function entriesOf(user: AdminUserView, acts: Acts, own: boolean): MenuEntry[] {
  return [
    { id: 'wallet', label: labels.walletEntries, href: paths.user(user.id, 'wallet') },
    { id: 'audit', label: pages.auditLog, href: paths.user(user.id, 'audit') },
    { id: 'adjust', label: verbs.adjustBalance, onAction: () => acts.adjust(user) },
    ...accountEntriesOf(user, acts, own),
  ]
}

/** Nobody takes away their own rights. */
export function accountEntriesOf(user: AdminUserView, acts: Acts, own: boolean): MenuEntry[] {
  return [
    {
      id: 'role',
      label: user.isAdmin ? verbs.revokeAdmin : verbs.makeAdmin,
      textValue: labels.role,
      reason: own ? text.noOwnRole : null,
      onAction: () => acts.role(user),
    },
    ...(user.secondFactor
      ? [
          {
            id: 'second-factor',
            label: verbs.disableSecondFactor,
            textValue: labels.secondFactor,
            onAction: () => acts.secondFactor(user),
          },
        ]
      : []),
    {
      id: 'status',
      label: user.status === 'active' ? verbs.suspendAccount : verbs.enableAccount,
      textValue: labels.status,
      danger: user.status === 'active',
      reason: own ? text.noSelfSuspend : null,
      onAction: () => acts.status(user),
    },
  ]
}
