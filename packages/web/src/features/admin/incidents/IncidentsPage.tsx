import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { incidentStateTexts } from '@vps/shared/status'
import type { IncidentView } from '@vps/shared/status.contract'
import { keepPreviousData } from '@tanstack/react-query'
import { Siren } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { RowButton } from '../../../ui/columns'
import { ButtonLink } from '../../../ui/Button'
import { RowActions, TwoLines } from '../../../ui/cells'
import { Chip } from '../../../ui/Chip'
import type { Column } from '../../../ui/column'
import { Dim, Time } from '../../../ui/Time'
import { Opening } from '../../../ui/Opening'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { CreateButton } from '../parts/cells'
import { ListPage } from '../parts/ListPage'
import { lateByHand } from '../../../loading/late-by-hand'

const IncidentDialog = lateByHand(() => import('./IncidentDialog'))

/** 服务事件, for the public status page. */
export default function IncidentsPage() {
  return (
    <AdminOnly title={labels.incident} denied={operationsDenied}>
      <IncidentList />
    </AdminOnly>
  )
}

function IncidentList() {
  const filters = useFilters([] as const)
  const asked = { page: filters.page, size: filters.size }
  const incidents = trpc.status.incidents.useQuery(asked, { placeholderData: keepPreviousData })
  const [writing, setWriting] = useState<IncidentView | 'new' | null>(null)
  return (
    <ListPage
      title={labels.incident}
      what={labels.incident}
      read={incidents}
      filters={filters}
      exported={{ list: 'incidents', asked }}
      columns={columnsOf(setWriting)}
      rowKey={({ id }) => id}
      empty={{ icon: Siren, text: '发布后立即显示在公开的服务状态页，并随订阅推送。' }}
      action={
        <>
          <ButtonLink href={paths.status()}>{labels.serviceStatus}</ButtonLink>
          <CreateButton label={verbs.reportIncident} onClick={() => setWriting('new')} />
        </>
      }
    >
      {writing && (
        <Opening onGiveUp={() => setWriting(null)}>
          <IncidentDialog
            key={writing === 'new' ? 'new' : writing.id}
            incident={writing === 'new' ? null : writing}
            latest={incidents.data?.content.find(({ id }) => writing !== 'new' && id === writing.id)}
            onClose={() => setWriting(null)}
          />
        </Opening>
      )}
    </ListPage>
  )
}

function columnsOf(write: (incident: IncidentView) => void): Column<IncidentView>[] {
  return [
    {
      key: 'title',
      head: labels.incident,
      phone: 'title',
      cell: ({ title, updates }) => (
        <TwoLines>
          <span>{title}</span>
          <small title={updates[0]?.body}>{updates[0]?.body}</small>
        </TwoLines>
      ),
    },
    { key: 'services', head: labels.affectedServices, width: '240px', cell: ({ services }) => services.join('、') },
    { key: 'starts', head: labels.startTime, width: '180px', cell: ({ startsAt }) => <Time at={startsAt} /> },
    {
      key: 'ends',
      head: labels.recoveredAt,
      width: '180px',
      cell: ({ endsAt }) => (endsAt ? <Time at={endsAt} /> : <Dim>尚未恢复</Dim>),
    },
    {
      key: 'state',
      head: labels.progress,
      phone: 'chip',
      width: '104px',
      cell: ({ endsAt, updates }) => (
        <Chip tone={endsAt === null ? 'warning' : 'neutral'}>
          {incidentStateTexts[updates[0]?.state ?? 'investigating']}
        </Chip>
      ),
    },
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      width: '112px',
      cell: (incident) => (
        <RowActions>
          <RowButton verb={verbs.updateIncident} of={incident.title} onClick={() => write(incident)} />
        </RowActions>
      ),
    },
  ]
}
