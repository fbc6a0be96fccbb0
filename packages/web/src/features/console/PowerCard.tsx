import * as verbs from '@vps/shared/verbs'
import { Power, PowerOff, RotateCw, Unplug } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { color, font, media } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { ReasonButton } from '../../ui/Tip'
import { ProtectionSwitch } from './ProtectionSwitch'
import { actReason, type PowerAction } from './act-reason'
import { PowerConfirm } from './server-actions'
import type { ConsoleServer } from './server'

const buttons: { action: PowerAction; label: string; icon: typeof Power }[] = [
  { action: 'start', label: verbs.start, icon: Power },
  { action: 'restart', label: verbs.restart, icon: RotateCw },
  { action: 'stop', label: verbs.stop, icon: PowerOff },
  { action: 'forceStop', label: verbs.forceStop, icon: Unplug },
]

/** Start, restart, shut down, cut the power. */
export function PowerCard({ server, onStarted }: { server: ConsoleServer; onStarted: (jobId: string) => void }) {
  const [asking, setAsking] = useState<PowerAction | null>(null)
  return (
    <Card title="电源管理">
      <Row>
        {buttons.map(({ action, label, icon: Icon }) => (
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
      <ProtectionSwitch server={server} />
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
  margin: 16px 0;
  ${font.xs}
  color: ${color.text3};
`
