import type { AnnouncementView } from '@vps/shared/announcements.contract'
import { Megaphone, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media, size } from '../theme/tokens'

/** One notice on one line. */
export function NoticeStrip({
  notice: { title, body, level },
  children,
}: {
  notice: Pick<AnnouncementView, 'title' | 'body' | 'level'>
  children?: ReactNode
}) {
  const Icon = level === 'warning' ? TriangleAlert : Megaphone
  return (
    <Strip $level={level}>
      <Inner>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        <Words>
          <b>{title}</b>
          <span>{body}</span>
        </Words>
        {children}
      </Inner>
    </Strip>
  )
}

const Strip = styled.div<{ $level: AnnouncementView['level'] }>`
  background: ${({ $level }) => color[$level].tint};
  color: ${color.text};
  ${font.sm}

  svg {
    flex: none;
  }

  div > svg:first-child {
    color: ${({ $level }) => color[$level].text};
  }
`

const Inner = styled.div`
  display: flex;
  align-items: center;
  gap: 10px;
  max-width: calc(${size.console} + 48px);
  height: 40px;
  margin: 0 auto;
  padding: 0 24px;

  ${media.phone} {
    height: 44px;
    padding: 0 4px 0 16px;
  }
`

/* One line: the page must not move. */
const Words = styled.p`
  flex: 1;
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;

  b {
    margin-right: 12px;
  }

  span {
    color: ${color.text2};
  }

  ${media.phone} {
    span {
      display: none;
    }
  }
`
