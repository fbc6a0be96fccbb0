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
  wallet: (user: AdminUserView) => void
}

/** Nobody takes away their own rights. */
export function entriesOf(user: AdminUserView, acts: Acts, own: boolean): MenuEntry[] {
  return [
    {
      id: 'orders',
      label: verbs.viewOrder,
      href: paths.allOrders({ user: user.id }),
    },
    {
      id: 'wallet',
      label: labels.walletEntries,
      onAction: () => acts.wallet(user),
    },
    {
      id: 'audit',
      label: pages.auditLog,
      href: paths.audit({ subject: user.id }),
    },
    {
      id: 'role',
      label: user.isAdmin ? verbs.revokeAdmin : verbs.makeAdmin,
      textValue: labels.role,
      reason: own ? text.noOwnRole : null,
      onAction: () => acts.role(user),
    },
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
