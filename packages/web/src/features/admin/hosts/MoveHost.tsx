import type { HostView } from '@vps/shared/hosts.contract'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Confirm } from '../../../ui/Confirm'
import { toast } from '../../../ui/toast'
import { rereadOperations } from '../parts/reread'
import { hostMoveWords, type HostMove } from './host-words'
import { TypedName } from '../parts/TypedName'

/** What cannot be taken back wants the name typed. */
export function MoveHost({ host, to, onClose }: { host: HostView; to: HostMove; onClose: () => void }) {
  const utils = trpc.useUtils()
  const move = trpc.hosts.move.useMutation()
  const [written, setWritten] = useState('')
  const { label, meaning, danger = false } = hostMoveWords[to]
  return (
    <Confirm
      open
      danger={danger}
      width={520}
      title={`${label} · ${host.name}`}
      confirmLabel={`确认${label}`}
      ready={!danger || written.trim() === host.name}
      onClose={onClose}
      onConfirm={async () => {
        await move.mutateAsync({ id: host.id, status: to })
        toast(`已${label}：${host.name}`, 'success')
        await rereadOperations(utils)
      }}
    >
      <p>{meaning}</p>
      <p>
        其上现有 {host.servers} 台服务器
        {host.releasing > 0 && `（${host.releasing} 台正在释放）`}。
      </p>
      {danger && <TypedName name={host.name} typed={written} onType={setWritten} />}
    </Confirm>
  )
}
