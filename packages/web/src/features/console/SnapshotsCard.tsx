import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { SnapshotView } from '@vps/shared/console.contract'
import { errorTable } from '@vps/shared/errors'
import { snapshotCan } from '@vps/shared/servers'
import { Camera } from 'lucide-react'
import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { Card } from '../../ui/Card'
import { Chip } from '../../ui/Chip'
import { useFocusBeside } from '../../ui/focus-beside'
import { Bar, Empty, Failed } from '../../ui/states'
import { dateTimeText } from '../../ui/Time'
import { ReasonButton } from '../../ui/Tip'
import { About, Acts, KeptList, KeptRules } from './KeptList'
import { DeleteSnapshot, RevertSnapshot, TakeSnapshot } from './SnapshotQuestions'

const states = {
  CREATING: { tone: 'info', word: '正在创建' },
  READY: { tone: 'success', word: labels.restorable },
  FAILED: { tone: 'error', word: '创建失败' },
} as const satisfies Record<SnapshotView['state'], unknown>

type Asking = { act: 'take' } | { act: 'revert' | 'delete'; snapshot: SnapshotView }

/** Copies of the disk on its own host. */
export function SnapshotsCard({ server }: { server: ConsoleServer }) {
  const snapshots = trpc.snapshots.list.useQuery({ serverId: server.id })
  const [asking, setAsking] = useState<Asking | null>(null)
  const { most } = server.snapshots
  const busy = actReason(server, 'snapshot')
  const used = snapshots.data?.length ?? server.snapshots.used
  const close = () => setAsking(null)

  return (
    <>
      <Card
        title={labels.snapshots}
        note={`已用 ${used} / ${most} 个，不另收费`}
        actions={
          <ReasonButton
            size="sm"
            icon={<Camera size={14} strokeWidth={1.75} aria-hidden />}
            reason={busy ?? snapshotCan.take({ used, most })}
            onClick={() => setAsking({ act: 'take' })}
          >
            {verbs.takeSnapshot}
          </ReasonButton>
        }
      >
        {snapshots.isError && !snapshots.data ? (
          <Failed title="加载快照失败" error={snapshots.error} onRetry={() => void snapshots.refetch()} />
        ) : !snapshots.data ? (
          <Bar $height={64} />
        ) : snapshots.data.length === 0 ? (
          <Empty icon={Camera} title="还没有快照">
            升级系统或更改配置之前创建一个，出错时可以回到那一刻。
          </Empty>
        ) : (
          <KeptList>
            {snapshots.data.map((snapshot) => (
              <Row
                key={snapshot.id}
                snapshot={snapshot}
                busy={busy}
                revertReason={actReason(server, 'revert')}
                isProtected={server.protected}
                onAsk={(act) => setAsking({ act, snapshot })}
              />
            ))}
          </KeptList>
        )}
        <KeptRules>
          <li>快照保存整块磁盘在那一刻的内容。运行中也可创建，写入会短暂停顿，通常不到一秒。</li>
          <li>升级配置后快照仍可恢复；重装系统会删除全部快照。</li>
          <li>快照与磁盘在同一台宿主机上，不能代替备份。</li>
        </KeptRules>
      </Card>
      {asking?.act === 'take' && <TakeSnapshot server={server} onClose={close} />}
      {asking?.act === 'revert' && <RevertSnapshot server={server} snapshot={asking.snapshot} onClose={close} />}
      {asking?.act === 'delete' && <DeleteSnapshot server={server} snapshot={asking.snapshot} onClose={close} />}
    </>
  )
}

function Row({
  snapshot,
  busy,
  revertReason,
  isProtected,
  onAsk,
}: {
  snapshot: SnapshotView
  busy: string | null
  revertReason: string | null
  isProtected: boolean
  onAsk: (act: 'revert' | 'delete') => void
}) {
  // What asks for it goes once it is done.
  useFocusBeside()
  const { name, state, createdAt, diskGb } = snapshot
  const { tone, word } = states[state]
  return (
    <li>
      <About>
        <b>{name}</b>
        <small>
          {dateTimeText(createdAt)} · 最多占用 {diskGb} GB
        </small>
      </About>
      <Chip tone={tone} busy={state === 'CREATING'}>
        {word}
      </Chip>
      <Acts>
        <ReasonButton
          size="sm"
          aria-label={`恢复 ${name}`}
          reason={revertReason ?? (isProtected ? errorTable.PROTECTED.message : null) ?? snapshotCan.revert(state)}
          onClick={() => onAsk('revert')}
        >
          {verbs.resume}
        </ReasonButton>
        <ReasonButton size="sm" aria-label={`删除 ${name}`} reason={busy} onClick={() => onAsk('delete')}>
          {verbs.remove}
        </ReasonButton>
      </Acts>
    </li>
  )
}
