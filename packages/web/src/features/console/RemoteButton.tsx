import * as labels from '@vps/shared/labels'
import { Monitor } from 'lucide-react'
import { paths } from '../../paths'
import { remoteReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { leadTo } from '../../ui/lead-to'
import { ReasonButton } from '../../ui/Tip'

/** To the machine's screen and serial line. */
export function RemoteButton({ server }: { server: ConsoleServer }) {
  return (
    <ReasonButton
      icon={<Monitor size={16} strokeWidth={1.75} aria-hidden />}
      reason={remoteReason(server)}
      onClick={() => leadTo(paths.remote(server.id))}
    >
      {labels.remoteConsole}
    </ReasonButton>
  )
}
