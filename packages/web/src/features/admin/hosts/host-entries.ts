import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { canMoveHost, hostStatusNames } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import { paths } from '../../../paths'
import type { MenuEntry } from '../../../ui/Menu'
import { hostMoveWords, type HostMove } from './host-words'
import { namesOf } from '@vps/shared/records'

export interface HostActs {
  edit: (host: HostView) => void
  move: (move: { host: HostView; to: HostMove }) => void
  enrol: (host: HostView) => void
  revoke: (host: HostView) => void
}

/** What cannot be done stays, with the reason. */
export function entriesOf(host: HostView, acts: HostActs): MenuEntry[] {
  return [
    { id: 'load', label: verbs.viewLoad, href: paths.host(host.id) },
    { id: 'jobs', label: verbs.viewJobs, href: paths.host(host.id, 'jobs') },
    ...keepingEntriesOf(host, acts),
  ]
}

/** On its own page. */
export function keepingEntriesOf(host: HostView, acts: HostActs): MenuEntry[] {
  const moves = namesOf(hostMoveWords).filter((to) => to !== host.status)
  return [
    {
      id: 'enrol',
      label: verbs.renewEnrolment,
      reason: host.status === 'RETIRED' ? text.hostRetired : null,
      onAction: () => acts.enrol(host),
    },
    {
      id: 'revoke',
      label: verbs.revokeToken,
      danger: true,
      reason: host.status === 'RETIRED' ? text.hostRetired : null,
      onAction: () => acts.revoke(host),
    },
    ...moves.map((to): MenuEntry => {
      const { label, danger } = hostMoveWords[to]
      return {
        id: to,
        label,
        danger: danger ?? false,
        reason: canMoveHost(host.status, to) ? null : `${hostStatusNames[host.status]}的宿主机不能${label}`,
        onAction: () => acts.move({ host, to }),
      }
    }),
  ]
}
