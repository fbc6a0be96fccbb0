import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'
import { keepPreviousData } from '@tanstack/react-query'
import type { AuditView } from '@vps/shared/audit.contract'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { factIf, Facts } from '../../../ui/Facts'
import { options, Select } from '../../../ui/Select'
import { Mono, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { dateTimeText, Dim, Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { DayRange } from '../../../ui/DayRange'
import { daysIn } from '../../../ui/typed-date'
import { FilterTag } from '../parts/FilterTag'
import { CustomerLink } from '../parts/links'
import { ListPage } from '../parts/ListPage'
import { actionNames, actionPrefixes, actorNames } from '@vps/shared/audit-words'
import { Changes } from './Changes'
import { Subject } from './Subject'
import { actionsColumn, RowButton } from '../../../ui/columns'

/** 审计日志. */
export default function AuditPage() {
  return (
    <AdminOnly title={pages.auditLog} denied={operationsDenied}>
      <Audit />
    </AdminOnly>
  )
}

const prefixes = Object.keys(actionPrefixes)

/** Everybody's, or one customer's or host's. */
export function Audit({ user, host }: { user?: string; host?: string }) {
  const filters = useFilters(['actor', 'action', 'subject', 'from', 'to'] as const)
  const { actor, subject } = filters.values
  const action = chosen(prefixes, filters.values.action)
  const asked = {
    page: filters.page,
    size: filters.size,
    ...(actor ? { actor: actor.slice(0, 40) } : {}),
    ...(action ? { action: `${action}.` } : {}),
    ...(user ? { userId: user } : {}),
    ...(subject ? { subjectId: subject.slice(0, 60) } : {}),
    ...(host ? { subjectKind: 'host', subjectId: host } : {}),
    ...daysIn(filters.values),
  }
  const audit = trpc.audit.list.useQuery(asked, { placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<AuditView | null>(null)
  return (
    <ListPage
      part={user !== undefined || host !== undefined}
      title={pages.auditLog}
      what="审计记录"
      read={audit}
      filters={filters}
      exported={{ list: 'audit', asked }}
      columns={columnsOf(setOpened)}
      rowKey={(entry) => entry.id}
      empty={{ icon: ScrollText, text: '每个改变资金、订单、机器或设置的操作都会记录在这里。' }}
      conditions={
        <Conditions
          search={{
            label: labels.actor,
            text: actor,
            onSearch: (actor) => filters.set({ actor }),
            placeholder: '完整的用户名',
          }}
          active={filters.active}
          onReset={filters.reset}
        >
          <Select
            label="类别"
            value={action ?? ''}
            onChange={(action) => filters.set({ action })}
            options={options([['', '全部类别'], ...Object.entries(actionPrefixes)])}
          />
          <DayRange values={filters.values} onChange={filters.set} />
          {subject && <FilterTag label={`对象 …${subject.slice(-8)}`} onRemove={() => filters.set({ subject: '' })} />}
        </Conditions>
      }
    >
      {opened && (
        <Dialog
          title={nameOf(opened)}
          open
          width={640}
          onClose={() => setOpened(null)}
          footer={<Button onClick={() => setOpened(null)}>{verbs.close}</Button>}
        >
          <Facts
            facts={[
              [labels.time, <Time key="at" at={opened.at} />],
              [labels.actor, <Actor key="actor" entry={opened} />],
              [labels.event, opened.action, 'mono'],
              [labels.subject, <Subject key="subject" entry={opened} />],
              ...factIf(opened.subjectId, labels.subjectNumber, opened.subjectId, 'mono'),
              [labels.sourceAddress, opened.address, 'mono'],
            ]}
          />
          <Changes details={opened.details} />
        </Dialog>
      )}
    </ListPage>
  )
}

const nameOf = ({ action }: AuditView) => actionNames[action] ?? action

const actorOf = ({ actorId, actorName, actorKind }: AuditView) =>
  (actorId && actorName) || (actorNames[actorKind] ?? actorKind)

function Actor({ entry }: { entry: AuditView }) {
  const { actorId, actorName } = entry
  return actorId && actorName ? <CustomerLink id={actorId} name={actorName} /> : actorOf(entry)
}

function columnsOf(open: (entry: AuditView) => void): Column<AuditView>[] {
  return [
    { key: 'at', head: labels.time, width: '184px', cell: (entry) => <Time at={entry.at} /> },
    { key: 'actor', head: labels.actor, width: '160px', cell: (entry) => <Actor entry={entry} /> },
    {
      key: 'action',
      head: labels.event,
      phone: 'title',
      cell: (entry) => (
        <TwoLines>
          <span>{nameOf(entry)}</span>
          <small title={entry.action}>{entry.action}</small>
        </TwoLines>
      ),
    },
    {
      key: 'subject',
      head: labels.subject,
      cell: (entry) => <Subject entry={entry} />,
    },
    {
      key: 'address',
      head: '来源',
      width: '144px',
      cell: (entry) => (entry.address ? <Mono>{entry.address}</Mono> : <Dim>—</Dim>),
    },
    actionsColumn(
      (entry) => (
        <RowButton
          verb="查看"
          of={`${nameOf(entry)} ${actorOf(entry)} ${dateTimeText(entry.at)}`}
          onClick={() => open(entry)}
        />
      ),
      '88px',
    ),
  ]
}
