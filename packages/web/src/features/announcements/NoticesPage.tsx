import * as labels from '@vps/shared/labels'
import type { AnnouncementView } from '@vps/shared/announcements.contract'
import { Megaphone, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import styled from 'styled-components'
import { color, font, radius } from '../../theme/tokens'
import { Panel } from '../../ui/Card'
import { Tag } from '../../ui/Chip'
import { Page } from '../../ui/Page'
import { Bar, Empty, Failed, Loading } from '../../ui/states'
import { dateTimeText } from '../../ui/Time'
import { markRead } from '../../announcements/read-notices'
import { useNotices } from '../../announcements/use-notices'

/** Every notice that concerns the reader now. */
export default function NoticesPage() {
  const notices = useNotices()
  const { data, isPlaceholderData } = notices

  // Who has seen the page needs no banner.
  useEffect(() => {
    if (data && !isPlaceholderData) markRead(data.map(({ id }) => id))
  }, [data, isPlaceholderData])

  return (
    <Page
      title={labels.announcement}
      width="form"
      refresh={{
        updatedAt: notices.dataUpdatedAt,
        busy: notices.isFetching,
        run: () => void notices.refetch(),
      }}
    >
      {data ? (
        data.length === 0 ? (
          <Panel>
            <Empty icon={Megaphone} title="暂无公告">
              服务器维护、产品变更等通知会显示在这里。
            </Empty>
          </Panel>
        ) : (
          <List>
            {data.map((notice) => (
              <li key={notice.id}>
                <Notice notice={notice} />
              </li>
            ))}
          </List>
        )
      ) : notices.isError ? (
        <Panel>
          <Failed title="加载公告失败" error={notices.error} onRetry={() => void notices.refetch()} />
        </Panel>
      ) : (
        <Loading label="正在加载公告">
          <Panel as="div">
            <Bar $height={88} />
          </Panel>
        </Loading>
      )}
    </Page>
  )
}

function Notice({ notice: { id, title, body, level, startsAt, endsAt } }: { notice: AnnouncementView }) {
  const Icon = level === 'warning' ? TriangleAlert : Megaphone
  return (
    <Entry as="article" aria-labelledby={`notice-${id}`}>
      <Badge $level={level}>
        <Icon size={20} strokeWidth={1.75} aria-hidden />
      </Badge>
      <div>
        <header>
          <h2 id={`notice-${id}`}>{title}</h2>
          {level === 'warning' && <Tag $tone="warning">{labels.important}</Tag>}
        </header>
        <time dateTime={startsAt}>{dateTimeText(startsAt)}</time>
        <p>{body}</p>
        {endsAt && <small>有效期至 {dateTimeText(endsAt)}</small>}
      </div>
    </Entry>
  )
}

const List = styled.ul`
  display: grid;
  gap: 16px;
`

const Entry = styled(Panel)`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 16px;

  header {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px 8px;
  }

  h2 {
    ${font.md}
    overflow-wrap: anywhere;
  }

  time,
  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }

  p {
    max-width: 45em;
    margin: 8px 0;
    color: ${color.text2};
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
`

const Badge = styled.div<{ $level: AnnouncementView['level'] }>`
  display: grid;
  place-items: center;
  width: 40px;
  height: 40px;
  border-radius: ${radius.dialog};
  background: ${({ $level }) => color[$level].tint};
  color: ${({ $level }) => color[$level].text};
`
