import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { canMoveHost } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import { paths } from '../../../paths'
import type { MenuEntry } from '../../../ui/Menu'
import { hostMoveWords, hostWords, type HostMove } from './host-words'
import { namesOf } from '@vps/shared/records'

export interface HostActs {
  load: (host: HostView) => void
  edit: (host: HostView) => void
  move: (move: { host: HostView; to: HostMove }) => void
  enrol: (host: HostView) => void
  revoke: (host: HostView) => void
}

/** What cannot be done stays, with the reason. */
export function entriesOf(host: HostView, acts: HostActs): MenuEntry[] {
  const moves = namesOf(hostMoveWords).filter((to) => to !== host.status)
  return [
    { id: 'load', label: verbs.viewLoad, onAction: () => acts.load(host) },
    { id: 'jobs', label: verbs.viewJobs, href: paths.jobs({ host: host.id }) },
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
        reason: canMoveHost(host.status, to) ? null : `${hostWords[host.status]}的宿主机不能${label}`,
        onAction: () => acts.move({ host, to }),
      }
    }),
  ]
}
