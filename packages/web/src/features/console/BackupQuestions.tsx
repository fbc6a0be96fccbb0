import type { BackupView } from '@vps/shared/backups.contract'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import type { ConsoleServer } from '../../servers/console-server'
import { actMessage, actPatienceMs } from '../../servers/server-act'
import { Confirm } from '../../ui/Confirm'
import { dateTimeText } from '../../ui/Time'
import { toast } from '../../ui/toast'
import { momentOf } from './backup-words'
import { BringBack } from './BringBack'
import { useStarted } from './use-started'

interface Props {
  server: ConsoleServer
  onClose: () => void
}

/** By hand, now. */
export function MakeBackup({ server, onClose }: Props) {
  const create = trpc.backups.create.useMutation()
  const [createOnce] = useKeyed(create.mutateAsync, actPatienceMs)
  const started = useStarted()
  return (
    <Confirm
      open
      title={verbs.backUp}
      confirmLabel="确认创建备份"
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => started(await createOnce({ serverId: server.id }))}
    >
      <p>
        将备份服务器 {server.serverName}{' '}
        的整块磁盘，服务器不会重启。同一台宿主机一次只进行一个备份，可能需要等待；期间可以离开此页。
      </p>
    </Confirm>
  )
}

/** With its system and the way in. */
export function RestoreBackup({ server, backup, onClose }: Props & { backup: BackupView }) {
  const restore = trpc.backups.restore.useMutation()
  const [restoreOnce] = useKeyed(restore.mutateAsync, actPatienceMs)
  return (
    <BringBack
      server={server}
      title={verbs.restoreBackup}
      confirmLabel="确认恢复备份"
      to={
        <>
          <b>{dateTimeText(momentOf(backup))}</b> 的备份
        </>
      }
      lost="此后写入的全部数据和全部快照都会丢失，无法找回"
      ask={() => restoreOnce({ serverId: server.id, id: backup.id })}
      onClose={onClose}
    >
      取回备份期间服务器继续运行，随后断电并以备份重新启动。系统、登录用户、密码和 SSH 端口恢复为备份时的；IP
      地址、配置和到期时间不变，备份仍会保留。
    </BringBack>
  )
}

/** The disk stays as it is. */
export function DeleteBackup({ server, backup, onClose }: Props & { backup: BackupView }) {
  const utils = trpc.useUtils()
  const remove = trpc.backups.remove.useMutation()
  const [removeOnce] = useKeyed(remove.mutateAsync, actPatienceMs)
  return (
    <Confirm
      open
      danger
      title={verbs.deleteBackup}
      confirmLabel={verbs.confirmRemove}
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => {
        await removeOnce({ serverId: server.id, id: backup.id })
        toast(text.submitted, 'success')
        await utils.backups.invalidate()
      }}
    >
      <p>
        <b>{dateTimeText(momentOf(backup))}</b> 的备份将被删除，不能再恢复到那一刻。磁盘现在的内容不受影响。
      </p>
    </Confirm>
  )
}
