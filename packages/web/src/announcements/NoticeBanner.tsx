import * as labels from '@vps/shared/labels'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import styled from 'styled-components'
import { Link, useLocation } from 'wouter'
import { useSession } from '../api/session'
import { paths } from '../paths'
import { color, media } from '../theme/tokens'
import { IconButton } from '../ui/Button'
import { focusMain } from '../ui/focus-main'
import { NoticeStrip } from '../ui/NoticeStrip'
import { keepNotices, markRead } from './read-notices'
import { useNotices, useUnreadNotices } from './use-notices'

/** The newest unread one. */
export function NoticeBanner() {
  const [path] = useLocation()
  const { user } = useSession()
  const { data, isPlaceholderData } = useNotices()
  const [newest, next] = useUnreadNotices()
  useEffect(() => {
    if (data && !isPlaceholderData) keepNotices(user?.id ?? null, data)
  }, [data, isPlaceholderData, user?.id])

  if (!newest || path === paths.notices()) return null
  return (
    <section aria-label={labels.announcement}>
      <NoticeStrip notice={newest}>
        <More href={paths.notices()}>查看公告</More>
        <IconButton
          size="sm"
          label="关闭公告"
          onClick={() => {
            markRead([newest.id])
            // It goes with the last.
            if (!next) focusMain()
          }}
        >
          <X size={16} strokeWidth={1.75} />
        </IconButton>
      </NoticeStrip>
    </section>
  )
}

const More = styled(Link)`
  flex: none;
  color: ${color.text};
  text-decoration: underline;
  text-underline-offset: 3px;

  ${media.phone} {
    line-height: 44px;
  }
`
