import * as labels from '@vps/shared/labels'
import { useState } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../paths'
import { color, font, media } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { ReasonButton } from '../../ui/Tip'
import { actReason, type PowerAction } from '../../servers/act-reason'
import { powerButtons } from './power-buttons'
import { PowerConfirm } from '../../servers/server-questions'
import type { ConsoleServer } from '../../servers/console-server'

/** Start, restart, shut down, cut the power. */
export function PowerCard({ server, onStarted }: { server: ConsoleServer; onStarted: (jobId: string) => void }) {
  const [asking, setAsking] = useState<PowerAction | null>(null)
  return (
    <Card title="电源管理">
      <Row>
        {powerButtons.map(({ action, label, icon: Icon }) => (
          <ReasonButton
            key={action}
            icon={<Icon size={16} strokeWidth={1.75} aria-hidden />}
            reason={actReason(server, action)}
            onClick={() => setAsking(action)}
          >
            {label}
          </ReasonButton>
        ))}
      </Row>
      <Hint>关机会先通知系统正常退出；重启和关机会中断正在运行的服务。没有响应时可以强制关机，相当于直接断电。</Hint>
      {server.rescue.offered && (
        <Hint>
          系统无法启动或无法登录？可在<Link href={paths.console(server.order.id, 'security')}>{labels.security}</Link>
          中进入救援模式。
        </Hint>
      )}
      {asking && <PowerConfirm server={server} action={asking} onStarted={onStarted} onClose={() => setAsking(null)} />}
    </Card>
  )
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;

  ${media.phone} {
    > * {
      flex: 1;
    }
  }
`

const Hint = styled.p`
  margin-top: 16px;
  ${font.xs}
  color: ${color.text3};

  & + & {
    margin-top: 8px;
  }

  a {
    color: ${color.primary.text};
    text-decoration: underline;
    text-underline-offset: 3px;
  }
`
