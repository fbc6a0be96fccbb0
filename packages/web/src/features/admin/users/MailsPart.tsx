import * as labels from '@vps/shared/labels'
import { keepPreviousData } from '@tanstack/react-query'
import { mailStatuses, mailStatusNames, mailTemplateNames, type MailStatus } from '@vps/shared/mails'
import type { MailView } from '@vps/shared/mails.contract'
import { Mail } from 'lucide-react'
import { trpc } from '../../../api/trpc'
import { TwoLines } from '../../../ui/cells'
import { Chip, type ChipTone } from '../../../ui/Chip'
import type { Column } from '../../../ui/column'
import { createdColumn } from '../../../ui/columns'
import { FilterSelect } from '../../../ui/FilterSelect'
import { Dim, Time } from '../../../ui/Time'
import { useFilters } from '../../../ui/use-filters'
import { chosen } from '../parts/choices'
import { Conditions } from '../parts/Conditions'
import { DayRange } from '../../../ui/DayRange'
import { daysIn } from '../../../ui/typed-date'
import { ListPage } from '../parts/ListPage'

/** With what became of them. */
export function MailsPart({ user }: { user: string }) {
  const filters = useFilters(['status', 'from', 'to'] as const)
  const status = chosen(mailStatuses, filters.values.status)
  const asked = {
    userId: user,
    page: filters.page,
    size: filters.size,
    ...(status ? { status } : {}),
    ...daysIn(filters.values),
  }
  const mails = trpc.mails.list.useQuery(asked, { placeholderData: keepPreviousData })
  return (
    <ListPage
      part
      title={labels.mails}
      what={labels.mails}
      read={mails}
      filters={filters}
      exported={{ list: 'mails', asked }}
      columns={columns}
      rowKey={(mail) => mail.id}
      empty={{ icon: Mail, text: '发给客户的每一封邮件和发送结果会显示在这里，保留 180 天。' }}
      conditions={
        <Conditions active={filters.active} onReset={filters.reset}>
          <FilterSelect
            label={labels.status}
            all={labels.allStatuses}
            values={mailStatuses}
            word={(value) => mailStatusNames[value]}
            value={status ?? ''}
            onChange={(status) => filters.set({ status })}
          />
          <DayRange values={filters.values} onChange={filters.set} />
        </Conditions>
      }
    />
  )
}

const tones: Record<MailStatus, ChipTone> = { queued: 'info', sent: 'success', failed: 'error', dropped: 'neutral' }

const kindOf = ({ template }: MailView) => mailTemplateNames[template] ?? template

const columns: Column<MailView>[] = [
  {
    key: 'subject',
    head: labels.subjectLine,
    phone: 'title',
    cell: (mail) => (
      <TwoLines>
        <span>{mail.subject ?? kindOf(mail)}</span>
        <small title={mail.address}>{mail.address}</small>
      </TwoLines>
    ),
  },
  { key: 'template', head: labels.kind, cell: kindOf },
  {
    key: 'status',
    head: labels.status,
    phone: 'chip',
    cell: (mail) => <Chip tone={tones[mail.status]}>{mailStatusNames[mail.status]}</Chip>,
  },
  { key: 'error', head: labels.error, cell: (mail) => mail.error ?? <Dim>—</Dim> },
  { key: 'attempts', head: labels.attempts, align: 'right', cell: (mail) => mail.attempts },
  { key: 'tried', head: labels.lastTry, cell: (mail) => <Time at={mail.triedAt} /> },
  createdColumn,
]
