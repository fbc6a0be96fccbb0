import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { useState } from 'react'
import { trpc, type Inputs } from '../api/trpc'
import { useKeyed } from '../api/use-keyed'
import { actMessage, actPatienceMs } from './server-act'
import { Alert } from '../ui/Alert'
import { Confirm } from '../ui/Confirm'
import { Switch } from '../ui/Switch'
import { Mono } from '../ui/cells'
import { toast } from '../ui/toast'
import type { ConsoleServer } from './console-server'
import type { PowerAction } from './act-reason'

const powerActs: Record<PowerAction, { title: string; confirm: string; what: (name: string) => string }> = {
  start: { title: '启动服务器', confirm: '确认启动', what: (name) => `服务器 ${name} 将开机。` },
  restart: {
    title: '重启服务器',
    confirm: verbs.confirmRestart,
    what: (name) => `服务器 ${name} 将重启，正在运行的程序会中断，通常在一分钟内恢复。`,
  },
  stop: {
    title: '关闭服务器',
    confirm: '确认关机',
    what: (name) => `服务器 ${name} 将关机，服务会中断，关机期间继续计费。`,
  },
  forceStop: {
    title: verbs.forceStop,
    confirm: '确认强制关机',
    what: (name) =>
      `服务器 ${name} 将立即断电，正在进行的操作会中止，未写入磁盘的数据会丢失。仅在服务器没有响应、无法正常关机时使用。`,
  },
}

/** Waits at most 15 s; gives the job's id. */
export function useAct() {
  const utils = trpc.useUtils()
  const act = trpc.console.act.useMutation()
  const [actOnce] = useKeyed(act.mutateAsync, actPatienceMs)
  return async (input: Omit<Inputs['console']['act'], 'idempotencyKey'>): Promise<string> => {
    try {
      const { jobId } = await actOnce(input)
      return jobId
    } finally {
      void utils.console.invalidate()
    }
  }
}

const askedAs = (action: PowerAction) =>
  action === 'forceStop' ? { action: 'stop' as const, force: true } : { action }

/** Asks, and starts, restarts or stops. */
export function PowerConfirm({
  server,
  action,
  onStarted,
  onClose,
}: {
  server: ConsoleServer
  action: PowerAction
  onStarted: (jobId: string) => void
  onClose: () => void
}) {
  const act = useAct()
  const { title, confirm, what } = powerActs[action]
  return (
    <Confirm
      open
      danger={action === 'stop' || action === 'forceStop'}
      title={title}
      confirmLabel={confirm}
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => {
        onStarted(await act({ serverId: server.id, ...askedAs(action) }))
        toast(text.submitted, 'success')
      }}
    >
      <p>{text.confirmOperation}</p>
      <p>{what(server.serverName)}</p>
      {action === 'stop' && server.driver === 'ssh' && (
        <Alert tone="warning">独立服务器关机后无法在控制台开机，需要联系客服开机。</Alert>
      )}
    </Confirm>
  )
}

/** Shows the new password before setting it. */
export function ResetPasswordConfirm({
  server,
  newPassword,
  onStarted,
  onClose,
}: {
  server: ConsoleServer
  newPassword: string
  onStarted: (jobId: string) => void
  onClose: () => void
}) {
  const act = useAct()
  const [byRestart, setByRestart] = useState(false)
  return (
    <Confirm
      open
      danger={byRestart}
      title={verbs.resetPassword}
      confirmLabel="确认重置密码"
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => {
        onStarted(await act({ serverId: server.id, action: 'resetPassword', newPassword, byRestart }))
        toast(text.submitted, 'success')
      }}
    >
      <p>{text.confirmOperation}</p>
      <p>
        {labels.server} {server.serverName} 的 {server.username} 密码将改为：
        <br />
        <Mono>{newPassword}</Mono>
      </p>
      <Alert tone="warning">请妥善保管新密码。旧密码将立即失效。</Alert>
      {server.driver === 'kvm' && (
        <>
          <Switch
            label="重启服务器并重置密码"
            checked={byRestart}
            onChange={(event) => setByRestart(event.target.checked)}
          />
          <p>密码通常由系统内的代理立即设置。系统内没有代理时选择此项：服务器会重启一次，运行中的程序将中断。</p>
        </>
      )}
    </Confirm>
  )
}
