import * as verbs from '@vps/shared/verbs'
import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import { allFindingKinds } from '@vps/shared/findings'
import { SearchCheck } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Chip, Tag } from '../../../ui/Chip'
import { FilterSelect } from '../../../ui/FilterSelect'
import { options, Select } from '../../../ui/Select'
import { Mono, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { ReasonButton } from '../../../ui/Tip'
import { Dim, Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { DayRange } from '../../../ui/DayRange'
import { daysIn } from '../../../ui/typed-date'
import { factsText } from '../parts/facts-text'
import { CustomerLink, ServerLink } from '../parts/links'
import { ListPage } from '../parts/ListPage'
import type { Finding } from '../parts/rows'
import { AlertSwitch } from './AlertSwitch'
import { FindingDialog } from './FindingDialog'
import { HostOf, subjectOf } from './HostOf'
import { findingName } from '@vps/shared/finding-words'
import { actionsColumn } from '../../../ui/columns'

/** What somebody may have to look at. */
export default function FindingsPage() {
  return (
    <AdminOnly title={labels.finding} denied={operationsDenied}>
      <Findings />
    </AdminOnly>
  )
}

/** All, or one host's. */
export function Findings({ host }: { host?: string }) {
  const filters = useFilters(['show', 'kind', 'from', 'to'] as const)
  const open = filters.values.show !== 'all'
  const kind = chosen(allFindingKinds, filters.values.kind)
  const asked = {
    page: filters.page,
    size: filters.size,
    open,
    ...(kind ? { kind } : {}),
    ...daysIn(filters.values),
    ...(host ? { hostId: host } : {}),
  }
  const findings = trpc.findings.list.useQuery(asked, { placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<Finding | null>(null)
  const listed = findings.data?.content.find(({ id }) => id === opened?.id)
  // Resolved meanwhile, or pushed off this page by newer ones.
  const alone = trpc.findings.get.useQuery({ id: opened?.id ?? '' }, { enabled: opened !== null && !listed })
  const shown = opened && (listed ?? alone.data ?? opened)

  return (
    <ListPage
      part={host !== undefined}
      title={labels.finding}
      what={labels.finding}
      note={<AlertSwitch />}
      wide
      read={findings}
      filters={filters}
      exported={{ list: 'findings', asked }}
      columns={columnsOf(setOpened)}
      rowKey={(finding) => finding.id}
      empty={{ icon: SearchCheck, title: '一切正常', text: '宿主机上看到的与系统记录一致，没有需要处理的发现项。' }}
      conditions={
        <Conditions active={filters.active} onReset={filters.reset}>
          <Select
            label="显示"
            value={open ? '' : 'all'}
            onChange={(show) => filters.set({ show })}
            options={options([
              ['', states.unhandled],
              ['all', labels.all],
            ])}
          />
          <FilterSelect
            label={labels.kind}
            all={labels.allKinds}
            values={allFindingKinds}
            word={(kind) => findingName({ kind })}
            value={filters.values.kind}
            onChange={(kind) => filters.set({ kind })}
          />
          <DayRange values={filters.values} onChange={filters.set} />
        </Conditions>
      }
    >
      {shown && <FindingDialog finding={shown} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}

function columnsOf(resolve: (finding: Finding) => void): Column<Finding>[] {
  return [
    {
      key: 'kind',
      head: '发现',
      phone: 'title',
      cell: (finding) => (
        <TwoLines>
          <span>{findingName(finding)}</span>
          <small>
            <HostOf finding={finding} />
            {finding.serverName && (
              <>
                {' · '}
                <ServerLink orderId={finding.orderId} name={finding.serverName} />
              </>
            )}
          </small>
        </TwoLines>
      ),
    },
    {
      key: 'owner',
      head: labels.user,
      cell: ({ ownerId, ownerName }) =>
        ownerId && ownerName ? <CustomerLink id={ownerId} name={ownerName} /> : <Dim>—</Dim>,
    },
    { key: 'subject', head: labels.subject, cell: (finding) => <Mono>{subjectOf(finding)}</Mono> },
    { key: 'details', head: labels.details, cell: (finding) => factsText(finding.details) },
    { key: 'first', head: labels.firstSeen, cell: (finding) => <Time at={finding.firstSeenAt} /> },
    { key: 'last', head: labels.lastSeen, cell: (finding) => <Time at={finding.lastSeenAt} /> },
    {
      key: 'status',
      head: labels.status,
      phone: 'chip',
      cell: (finding) =>
        finding.resolvedAt ? (
          <Tag $tone="neutral">{states.handled}</Tag>
        ) : (
          <Chip tone="warning">{states.unhandled}</Chip>
        ),
    },
    actionsColumn((finding) => (
      <>
        <ReasonButton
          tone="quiet"
          size="sm"
          reason={finding.resolvedAt ? states.handled : null}
          aria-label={`${verbs.handle} ${findingName(finding)} ${finding.serverName ?? subjectOf(finding)}`}
          onClick={() => resolve(finding)}
        >
          {verbs.handle}
        </ReasonButton>
      </>
    )),
  ]
}
