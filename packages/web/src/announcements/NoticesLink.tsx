import * as labels from '@vps/shared/labels'
import { Bell } from 'lucide-react'
import styled from 'styled-components'
import { paths } from '../paths'
import { color, media } from '../theme/tokens'
import { IconLink } from '../ui/Button'
import { useUnreadNotices } from './use-notices'

/** A phone's bar has no room: its footer leads there. */
export function NoticesLink() {
  const unread = useUnreadNotices().length
  return (
    <Desktop>
      <IconLink label={unread > 0 ? `公告，${unread} 条未读` : labels.announcement} href={paths.notices()}>
        <Bell size={18} strokeWidth={1.75} aria-hidden />
        {unread > 0 && <Dot aria-hidden />}
      </IconLink>
    </Desktop>
  )
}

const Desktop = styled.span`
  ${media.phone} {
    display: none;
  }
`

const Dot = styled.i`
  position: absolute;
  top: 8px;
  right: 8px;
  width: 8px;
  height: 8px;
  border: 1px solid ${color.page};
  border-radius: 50%;
  background: ${color.error.brand};
`
