import * as verbs from '@vps/shared/verbs'
import type { SnapshotView } from '@vps/shared/console.contract'
import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import type { ConsoleServer } from '../../servers/console-server'
import { actMessage, actPatienceMs } from '../../servers/server-act'
import { Confirm } from '../../ui/Confirm'
import { TextField } from '../../ui/Field'
import { dateTimeText } from '../../ui/Time'
import { BringBack } from './BringBack'
import { useStarted } from './use-started'

interface Props {
  server: ConsoleServer
  onClose: () => void
}

/** Asks for a name, and takes one. */
export function TakeSnapshot({ server, onClose }: Props) {
  const [name, setName] = useState(() => dateTimeText(new Date().toISOString()))
  const take = trpc.snapshots.take.useMutation()
  const [takeOnce] = useKeyed(take.mutateAsync, actPatienceMs)
  const started = useStarted()
  return (
    <Confirm
      open
      title={verbs.takeSnapshot}
      confirmLabel="确认创建快照"
      ready={name.trim() !== ''}
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => started(await takeOnce({ serverId: server.id, name: name.trim() }))}
    >
      <p>将保存服务器 {server.serverName} 的磁盘，服务器不会重启。</p>
      <TextField
        label="快照名称"
        help="例如“升级数据库之前”，便于日后辨认"
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </Confirm>
  )
}

/** The machine as it was, with its password. */
export function RevertSnapshot({ server, snapshot, onClose }: Props & { snapshot: SnapshotView }) {
  const revert = trpc.snapshots.revert.useMutation()
  const [revertOnce] = useKeyed(revert.mutateAsync, actPatienceMs)
  return (
    <BringBack
      server={server}
      title={verbs.revertSnapshot}
      confirmLabel="确认恢复快照"
      to={
        <>
          <b>{dateTimeText(snapshot.createdAt)}</b> 的“{snapshot.name}”
        </>
      }
      ask={() => revertOnce({ serverId: server.id, id: snapshot.id })}
      onClose={onClose}
    >
      服务器会立即断电，恢复后重新启动；登录密码恢复为创建快照时的密码。IP 地址、配置和到期时间不变，快照仍会保留。
    </BringBack>
  )
}

/** The disk stays as it is. */
export function DeleteSnapshot({ server, snapshot, onClose }: Props & { snapshot: SnapshotView }) {
  const remove = trpc.snapshots.remove.useMutation()
  const [removeOnce] = useKeyed(remove.mutateAsync, actPatienceMs)
  const started = useStarted()
  return (
    <Confirm
      open
      danger
      title={verbs.deleteSnapshot}
      confirmLabel={verbs.confirmRemove}
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => started(await removeOnce({ serverId: server.id, id: snapshot.id }))}
    >
      <p>
        “<b>{snapshot.name}</b>”将被删除，不能再回到 {dateTimeText(snapshot.createdAt)}。磁盘现在的内容不受影响。
      </p>
    </Confirm>
  )
}
