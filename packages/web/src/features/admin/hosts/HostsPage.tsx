import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import type { HostMove } from './host-words'
import type { HostView } from '@vps/shared/hosts.contract'
import { HardDrive } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { CreateButton } from '../parts/cells'
import { SearchOnly } from '../parts/Conditions'
import { ListPage } from '../parts/ListPage'
import { silenceLookMs } from '../../../api/look-again'
import type { Enrolment } from '../parts/rows'
import { EnrolmentDialog, RenewEnrolment, RevokeToken } from './EnrolmentDialog'
import { HostDialog } from './HostDialog'
import { HostLoad } from './HostLoad'
import { MoveHost } from './MoveHost'
import { useSearched } from '../parts/use-searched'
import { hostColumns } from './host-columns'

/** 宿主机. */
export default function HostsPage() {
  return (
    <AdminOnly title={labels.host} denied={operationsDenied}>
      <Hosts />
    </AdminOnly>
  )
}

function Hosts() {
  const { filters, asked } = useSearched()
  const hosts = trpc.hosts.list.useQuery(asked, { placeholderData: keepPreviousData, refetchInterval: silenceLookMs })
  const [loadOf, setLoadOf] = useState<string | null>(null)
  const [edited, setEdited] = useState<HostView | 'new' | null>(null)
  const [moved, setMoved] = useState<{ host: HostView; to: HostMove } | null>(null)
  const [renewed, setRenewed] = useState<HostView | null>(null)
  const [revoked, setRevoked] = useState<HostView | null>(null)
  const [enrolment, setEnrolment] = useState<(Enrolment & { name: string }) | null>(null)

  // As it is now, not at opening.
  const shown = hosts.data?.content.find(({ id }) => id === loadOf)

  return (
    <ListPage
      title={labels.host}
      what={labels.host}
      wide
      read={hosts}
      filters={filters}
      columns={hostColumns({
        load: ({ id }) => setLoadOf(id),
        edit: setEdited,
        move: setMoved,
        enrol: setRenewed,
        revoke: setRevoked,
      })}
      rowKey={(host) => host.id}
      empty={{ icon: HardDrive, text: '接入一台 KVM 宿主机，服务器会自动安排在上面。' }}
      action={<CreateButton label={verbs.enrolHost} onClick={() => setEdited('new')} />}
      conditions={<SearchOnly filters={filters} placeholder={labels.name} />}
    >
      {edited && (
        <HostDialog
          host={edited === 'new' ? null : edited}
          onEnrol={(made, name) => setEnrolment({ ...made, name })}
          onClose={() => setEdited(null)}
        />
      )}
      {shown && <HostLoad host={shown} onClose={() => setLoadOf(null)} />}
      {moved && <MoveHost {...moved} onClose={() => setMoved(null)} />}
      {renewed && (
        <RenewEnrolment
          host={renewed}
          onEnrol={(made) => setEnrolment({ ...made, name: renewed.name })}
          onClose={() => setRenewed(null)}
        />
      )}
      {revoked && <RevokeToken host={revoked} onClose={() => setRevoked(null)} />}
      {enrolment && <EnrolmentDialog enrolment={enrolment} onClose={() => setEnrolment(null)} />}
    </ListPage>
  )
}
