import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import { HardDrive } from 'lucide-react'
import { trpc } from '../../../api/trpc'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { CreateButton } from '../parts/cells'
import { SearchOnly } from '../parts/Conditions'
import { ListPage } from '../parts/ListPage'
import { silenceLookMs } from '../../../api/look-again'
import { useHostActs } from './host-acts'
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
  const { acts, create, dialogs } = useHostActs()

  return (
    <ListPage
      title={labels.host}
      what={labels.host}
      wide
      read={hosts}
      filters={filters}
      exported={{ list: 'hosts', asked }}
      columns={hostColumns(acts)}
      rowKey={(host) => host.id}
      empty={{ icon: HardDrive, text: '接入一台 KVM 宿主机，服务器会自动安排在上面。' }}
      action={<CreateButton label={verbs.enrolHost} onClick={create} />}
      conditions={<SearchOnly filters={filters} placeholder={labels.name} />}
    >
      {dialogs}
    </ListPage>
  )
}
