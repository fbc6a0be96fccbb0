import { canMoveHost, hostStatusNames } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Alert } from '../../../ui/Alert'
import { Confirm } from '../../../ui/Confirm'
import { toast } from '../../../ui/toast'
import { rereadOperations } from '../parts/reread'
import { hostMoveWords, type HostMove } from './host-words'
import { TypedName } from '../parts/TypedName'

/** What cannot be taken back wants the name typed. */
export function MoveHost({ host: opened, to, onClose }: { host: HostView; to: HostMove; onClose: () => void }) {
  // Servers come and others decide, while a name is typed.
  const { data: host = opened } = trpc.hosts.get.useQuery({ id: opened.id })
  const utils = trpc.useUtils()
  const move = trpc.hosts.move.useMutation({ onSettled: () => rereadOperations(utils) })
  const [written, setWritten] = useState('')
  const possible = canMoveHost(host.status, to)
  const { label, meaning, danger = false } = hostMoveWords[to]
  return (
    <Confirm
      open
      danger={danger}
      width={520}
      title={`${label} · ${host.name}`}
      confirmLabel={`确认${label}`}
      ready={possible && (!danger || written.trim() === host.name)}
      onClose={onClose}
      onConfirm={async () => {
        await move.mutateAsync({ id: host.id, status: to, seen: host.status })
        toast(`已${label}：${host.name}`, 'success')
      }}
    >
      <p>{meaning}</p>
      {!possible && (
        <Alert tone="warning">
          宿主机现在是“{hostStatusNames[host.status]}”，不能再{label}。
        </Alert>
      )}
      <p>
        当前状态为{hostStatusNames[host.status]}，其上现有 {host.servers} 台服务器
        {host.releasing > 0 && `（${host.releasing} 台正在释放）`}。
      </p>
      {danger && <TypedName name={host.name} typed={written} onType={setWritten} />}
    </Confirm>
  )
}
