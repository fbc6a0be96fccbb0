import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { Monitor, Power, Terminal } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { lateByHand } from '../../loading/late-by-hand'
import { BottomBar } from '../../ui/BottomBar'
import { Button } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { Opening } from '../../ui/Opening'
import { ReasonButton } from '../../ui/Tip'
import { usePhone } from '../../theme/use-media'
import { actReason, type PowerAction } from '../../servers/act-reason'
import { RemoteButton } from './RemoteButton'
import { powerButtons } from './power-buttons'
import type { ConsoleServer } from '../../servers/console-server'
import { PowerConfirm } from '../../servers/server-questions'

const ConnectDialog = lateByHand(async () => ({ default: (await import('../../servers/ConnectDialog')).ConnectDialog }))

/** As large as what comes: nothing moves. */
export function HeadActsLoading() {
  if (usePhone()) return null
  return (
    <>
      <Button disabled icon={<Power size={16} strokeWidth={1.75} aria-hidden />}>
        {labels.power}
      </Button>
      <Button disabled icon={<Monitor size={16} strokeWidth={1.75} aria-hidden />}>
        {labels.remoteConsole}
      </Button>
      <Button disabled tone="primary" icon={<Terminal size={16} strokeWidth={1.75} aria-hidden />}>
        {verbs.connect}
      </Button>
    </>
  )
}

/** On a phone where the thumb is. */
export function HeadActs({ server, onStarted }: { server: ConsoleServer; onStarted: (jobId: string) => void }) {
  const [asking, setAsking] = useState<PowerAction | null>(null)
  const [connecting, setConnecting] = useState(false)
  const phone = usePhone()
  const acts = (
    <>
      <Menu
        label="电源操作"
        trigger={<Button icon={<Power size={16} strokeWidth={1.75} aria-hidden />}>{labels.power}</Button>}
        entries={powerButtons.map(({ action, label, icon: Icon }) => ({
          id: action,
          label,
          icon: <Icon size={16} strokeWidth={1.75} aria-hidden />,
          reason: actReason(server, action),
          danger: action === 'forceStop',
          onAction: () => setAsking(action),
        }))}
      />
      <RemoteButton server={server} />
      <ReasonButton
        tone="primary"
        icon={<Terminal size={16} strokeWidth={1.75} aria-hidden />}
        reason={actReason(server, 'connect')}
        onClick={() => setConnecting(true)}
      >
        {verbs.connect}
      </ReasonButton>
    </>
  )
  return (
    <>
      {phone ? (
        <BottomBar>
          <Row>{acts}</Row>
        </BottomBar>
      ) : (
        acts
      )}
      {asking && <PowerConfirm server={server} action={asking} onStarted={onStarted} onClose={() => setAsking(null)} />}
      {connecting && (
        <Opening onGiveUp={() => setConnecting(false)}>
          <ConnectDialog server={server} onClose={() => setConnecting(false)} />
        </Opening>
      )}
    </>
  )
}

/** Three in 320 px, of which a scroll bar takes some. */
const Row = styled.div`
  display: flex;
  gap: 8px;

  > button {
    flex: 1;
    padding-inline: 8px;
  }
`
