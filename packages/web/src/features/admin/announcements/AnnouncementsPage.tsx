import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as pages from '../../../page-names'
import { keepPreviousData } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { trpc, type Outputs } from '../../../api/trpc'
import { RowButton } from '../../../ui/columns'
import { Chip, Tag } from '../../../ui/Chip'
import { Confirm } from '../../../ui/Confirm'
import { RowActions, TwoLines } from '../../../ui/cells'
import type { Column } from '../../../ui/column'
import { Dim, Time } from '../../../ui/Time'
import { Opening } from '../../../ui/Opening'
import { toast } from '../../../ui/toast'
import { useFilters } from '../../../ui/use-filters'
import { useNow } from '../../../ui/use-now'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { CreateButton } from '../parts/cells'
import { ListPage } from '../parts/ListPage'
import { audienceText, levelWords, stateOf } from './announcement-words'
import { lateByHand } from '../../../loading/late-by-hand'

const AnnouncementDialog = lateByHand(() => import('./AnnouncementDialog'))

type Announcement = Outputs['announcements']['list']['content'][number]

/** 公告管理. */
export default function AnnouncementsPage() {
  return (
    <AdminOnly title={pages.announcements} denied={operationsDenied}>
      <Announcements />
    </AdminOnly>
  )
}

function Announcements() {
  const filters = useFilters([] as const)
  const asked = { page: filters.page, size: filters.size }
  const announcements = trpc.announcements.list.useQuery(asked, { placeholderData: keepPreviousData })
  // What was just published has begun, however old the clock's reading.
  const now = Math.max(useNow(30_000), announcements.dataUpdatedAt)
  const utils = trpc.useUtils()
  const end = trpc.announcements.end.useMutation()
  const [writing, setWriting] = useState(false)
  const [ended, setEnded] = useState<Announcement | null>(null)

  return (
    <ListPage
      title={pages.announcements}
      what={labels.announcement}
      read={announcements}
      filters={filters}
      exported={{ list: 'announcements', asked }}
      columns={columnsOf(now, setEnded)}
      rowKey={({ id }) => id}
      empty={{ icon: Megaphone, text: '公告显示在每个页面的顶部。宿主机进入维护时，会自动通知其上的客户。' }}
      action={<CreateButton label={verbs.publishAnnouncement} onClick={() => setWriting(true)} />}
    >
      {writing && (
        <Opening onGiveUp={() => setWriting(false)}>
          <AnnouncementDialog onClose={() => setWriting(false)} />
        </Opening>
      )}
      {ended && (
        <Confirm
          open
          title={verbs.endAnnouncement}
          confirmLabel="确认结束"
          onClose={() => setEnded(null)}
          onConfirm={async () => {
            await end.mutateAsync({ id: ended.id })
            await utils.announcements.invalidate()
            toast('公告已结束', 'success')
          }}
        >
          <p>
            {labels.announcement} <b>{ended.title}</b>{' '}
            {stateOf(ended, now).word === states.notStarted ? '尚未开始，将被删除。' : '将不再展示，结束后不能恢复。'}
          </p>
        </Confirm>
      )}
    </ListPage>
  )
}

function columnsOf(now: number, end: (announcement: Announcement) => void): Column<Announcement>[] {
  return [
    {
      key: 'title',
      head: labels.announcement,
      phone: 'title',
      cell: ({ title, body, level, isMaintenance }) => (
        <TwoLines>
          <Title>
            {title}
            {level === 'warning' && <Tag $tone="warning">{levelWords.warning}</Tag>}
            {isMaintenance && <Tag $tone="neutral">自动</Tag>}
          </Title>
          <Cut title={body}>{body}</Cut>
        </TwoLines>
      ),
    },
    { key: 'audience', head: labels.recipients, width: '200px', cell: audienceText },
    { key: 'starts', head: labels.startTime, width: '180px', cell: ({ startsAt }) => <Time at={startsAt} /> },
    {
      key: 'ends',
      head: labels.endTime,
      width: '180px',
      cell: ({ endsAt }) => (endsAt ? <Time at={endsAt} /> : <Dim>手动结束</Dim>),
    },
    {
      key: 'state',
      head: labels.status,
      phone: 'chip',
      width: '104px',
      cell: (announcement) => {
        const { word, tone } = stateOf(announcement, now)
        return <Chip tone={tone}>{word}</Chip>
      },
    },
    {
      key: 'actions',
      head: labels.actions,
      align: 'right',
      phone: 'actions',
      width: '88px',
      cell: (announcement) =>
        stateOf(announcement, now).word === states.ended ? null : (
          <RowActions>
            <RowButton verb="结束" of={announcement.title} onClick={() => end(announcement)} />
          </RowActions>
        ),
    },
  ]
}

const Title = styled.span`
  display: inline-flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 4px 8px;
`

const Cut = styled.small`
  display: block;
  max-width: 48em;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`
