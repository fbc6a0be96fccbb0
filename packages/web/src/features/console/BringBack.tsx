import * as text from '@vps/shared/text'
import { useState, type ReactNode } from 'react'
import type { ConsoleServer } from '../../servers/console-server'
import { actMessage } from '../../servers/server-act'
import { Alert } from '../../ui/Alert'
import { Confirm } from '../../ui/Confirm'
import { TextField } from '../../ui/Field'
import { isTyped } from '../../servers/is-typed'
import { useStarted } from './use-started'

interface Props {
  server: ConsoleServer
  title: string
  confirmLabel: string
  to: ReactNode
  lost?: string
  children: ReactNode
  ask: () => Promise<{ jobId: string }>
  onClose: () => void
}

const sinceLost = '此后写入的全部数据都会丢失，无法找回'

/** Wants the name typed: what was written since is lost. */
export function BringBack({ server, title, confirmLabel, to, lost = sinceLost, children, ask, onClose }: Props) {
  const [typed, setTyped] = useState('')
  const started = useStarted()
  return (
    <Confirm
      open
      danger
      width={520}
      title={title}
      confirmLabel={confirmLabel}
      ready={isTyped(typed, server.serverName)}
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => started(await ask())}
    >
      <p>{text.confirmOperation}</p>
      <Alert tone="warning">
        磁盘将回到 {to}，{lost}。
      </Alert>
      <p>{children}</p>
      <TextField
        label={text.typeServerName(server.serverName)}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Confirm>
  )
}
