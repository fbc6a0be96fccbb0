import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { LifeBuoy } from 'lucide-react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { color, font, media } from '../../theme/tokens'
import { CopyButton } from '../../ui/CopyButton'
import { useFocusBeside } from '../../ui/focus-beside'
import { sshCommand } from '../../ui/ssh'
import { dateTimeText } from '../../ui/Time'
import { ReasonButton } from '../../ui/Tip'
import type { Kept } from './console-parts'
import { HiddenPassword } from './CurrentPassword'
import { LeaveRescue } from './RescueQuestions'
import { StateBox, StateHead } from './StateBox'

const diskPath = '/dev/disk/by-id/virtio-system'

interface Props {
  server: ConsoleServer
  asking: Kept<boolean>
  onStarted: (jobId: string) => void
}

/** The question stays until it is answered, though its own system runs by then. */
export default function RescueState({ server, asking: [leaving, setLeaving], onStarted }: Props) {
  const { since } = server.rescue
  return (
    <>
      {since !== null && <InRescue server={server} since={since} onLeave={() => setLeaving(true)} />}
      {leaving && <LeaveRescue server={server} onStarted={onStarted} onClose={() => setLeaving(false)} />}
    </>
  )
}

interface InRescueProps {
  server: ConsoleServer
  since: string
  onLeave: () => void
}

/** Loud: what answers at the address is not the machine's own system. */
function InRescue({ server, since, onLeave }: InRescueProps) {
  // What asks for it goes once it is done.
  useFocusBeside()
  const { client } = trpc.useUtils()
  const command = server.ipAddress ? sshCommand('root', server.ipAddress, server.sshPort) : null
  return (
    <StateBox aria-label={labels.rescue}>
      <StateHead>
        <LifeBuoy size={20} strokeWidth={1.75} aria-hidden />
        <div>
          <h2>{labels.rescue}</h2>
          <small>自 {dateTimeText(since)} 起。运行的是救援系统，原磁盘未启动。</small>
        </div>
        <ReasonButton tone="primary" reason={actReason(server, 'leaveRescue')} onClick={onLeave}>
          {verbs.leaveRescue}
        </ReasonButton>
      </StateHead>
      <Ways>
        <HiddenPassword
          label="救援密码（用户名 root）"
          read={() => client.rescue.password.query({ serverId: server.id })}
        />
        <dl>
          {command && (
            <div>
              <dt>{labels.sshCommand}</dt>
              <dd>
                <code>{command}</code>
                <CopyButton text={command} label="复制 SSH 命令" done={text.sshCopied} />
              </dd>
            </div>
          )}
          <div>
            <dt>原磁盘</dt>
            <dd>
              <code>{diskPath}</code>
              <CopyButton text={diskPath} label="复制磁盘路径" done="磁盘路径已复制" />
            </dd>
          </div>
        </dl>
      </Ways>
    </StateBox>
  )
}

const Ways = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
  align-items: start;
  gap: 16px;
  margin-top: 16px;

  dl {
    display: grid;
    gap: 8px;
  }

  dl > div {
    display: grid;
    grid-template-columns: 88px minmax(0, 1fr);
    align-items: center;
    gap: 12px;
  }

  dt {
    ${font.sm}
    color: ${color.text2};
  }

  dd {
    display: flex;
    align-items: center;
    gap: 8px;
    min-width: 0;
  }

  code {
    min-width: 0;
    overflow-wrap: anywhere;
    font-family: ${font.family.mono};
    ${font.sm}
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);

    dl > div {
      grid-template-columns: minmax(0, 1fr);
      gap: 2px;
    }
  }
`
