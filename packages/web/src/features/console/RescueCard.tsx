import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { color, font } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { useFocusBeside } from '../../ui/focus-beside'
import { ReasonButton } from '../../ui/Tip'
import { EnterRescue } from './RescueQuestions'

interface Props {
  server: ConsoleServer
  onStarted: (jobId: string) => void
}

/** For when the own system lets nobody in. The question stays until it is answered, though the rescue system runs by then. */
export function RescueCard({ server, onStarted }: Props) {
  const [asking, setAsking] = useState(false)
  const { offered, since } = server.rescue
  return (
    <>
      {offered && since === null && <Outside server={server} onEnter={() => setAsking(true)} />}
      {asking && <EnterRescue server={server} onStarted={onStarted} onClose={() => setAsking(false)} />}
    </>
  )
}

function Outside({ server, onEnter }: { server: ConsoleServer; onEnter: () => void }) {
  // What asks for it goes once it is done.
  useFocusBeside()
  return (
    <Card
      title={labels.rescue}
      actions={
        <ReasonButton
          size="sm"
          icon={<LifeBuoy size={14} strokeWidth={1.75} aria-hidden />}
          reason={actReason(server, 'enterRescue')}
          onClick={onEnter}
        >
          {verbs.enterRescue}
        </ReasonButton>
      }
    >
      <p>系统无法启动、忘记密码或磁盘需要修复时，让服务器从一个独立的救援系统启动，再用 SSH 登录处理。</p>
      <Hint>IP 地址和 SSH 端口不变，原磁盘作为第二块磁盘提供，内容不会改动。退出后服务器重新从原磁盘启动。</Hint>
    </Card>
  )
}

const Hint = styled.p`
  margin-top: 8px;
  ${font.xs}
  color: ${color.text3};
`
