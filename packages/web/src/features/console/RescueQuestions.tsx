import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import type { ConsoleServer } from '../../servers/console-server'
import { actMessage, actPatienceMs } from '../../servers/server-act'
import { Alert } from '../../ui/Alert'
import { Confirm } from '../../ui/Confirm'
import { toast } from '../../ui/toast'

interface Props {
  server: ConsoleServer
  onStarted: (jobId: string) => void
  onClose: () => void
}

/** What runs ends; says what stays. */
export function EnterRescue({ server, onStarted, onClose }: Props) {
  const enter = trpc.rescue.enter.useMutation()
  const [enterOnce] = useKeyed(enter.mutateAsync, actPatienceMs)
  const utils = trpc.useUtils()
  return (
    <Confirm
      open
      danger
      width={520}
      title={verbs.enterRescue}
      confirmLabel="确认进入救援模式"
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => {
        const { jobId } = await enterOnce({ serverId: server.id })
        onStarted(jobId)
        toast(text.submitted, 'success')
        void utils.console.invalidate()
      }}
    >
      <p>{text.confirmOperation}</p>
      <Alert tone="warning">“{server.serverName}”将关机，没有响应时直接断电；服务中断，直到退出救援模式。</Alert>
      <p>
        随后启动救援系统，使用原来的 IP 地址和 SSH 端口，用户名 root，密码为一次性的救援密码，启动后显示在本页顶部。
        {'原磁盘的内容不会改动；未能启动时，服务器恢复原状。'}
      </p>
    </Confirm>
  )
}

/** What was kept in the rescue system goes. */
export function LeaveRescue({ server, onStarted, onClose }: Props) {
  const leave = trpc.rescue.leave.useMutation()
  const [leaveOnce] = useKeyed(leave.mutateAsync, actPatienceMs)
  const utils = trpc.useUtils()
  return (
    <Confirm
      open
      title={verbs.leaveRescue}
      confirmLabel="确认退出救援模式"
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => {
        const { jobId } = await leaveOnce({ serverId: server.id })
        onStarted(jobId)
        toast(text.submitted, 'success')
        void utils.console.invalidate()
      }}
    >
      <p>{text.confirmOperation}</p>
      <p>
        救援系统将关机，服务器 {server.serverName} 从原磁盘启动，密码仍是原来的。救援系统中的文件和救援密码会删除，
        {'请先卸载（umount）原磁盘。'}
      </p>
    </Confirm>
  )
}
