import type { BackupElsewhereView } from '@vps/shared/backups.contract'
import { errorTable } from '@vps/shared/errors'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { actPatienceMs } from '../../servers/server-act'
import { Card } from '../../ui/Card'
import { Failed } from '../../ui/states'
import { dateTimeText } from '../../ui/Time'
import { ReasonButton } from '../../ui/Tip'
import { BringBack } from './BringBack'
import { About, Acts, KeptList, KeptRules } from './KeptList'

/** Copies of the owner's other servers, for this one. The question stays until it is answered, though none is left by then. */
export function ElsewhereCard({ server }: { server: ConsoleServer }) {
  const [asking, setAsking] = useState<BackupElsewhereView | null>(null)
  return (
    <>
      <Kept server={server} onAsk={setAsking} />
      {asking && <RestoreHere server={server} backup={asking} onClose={() => setAsking(null)} />}
    </>
  )
}

function Kept({ server, onAsk }: { server: ConsoleServer; onAsk: (backup: BackupElsewhereView) => void }) {
  const elsewhere = trpc.backups.elsewhere.useQuery({ serverId: server.id })
  const kept = elsewhere.data
  if (kept ? kept.length === 0 : !elsewhere.isError) return null
  const off = actReason(server, 'restore') ?? (server.protected ? errorTable.PROTECTED.message : null)
  return (
    <Card title={labels.backupsElsewhere} note={kept && `${kept.length} ${labels.piecesUnit}`}>
      {kept ? (
        <KeptList>
          {kept.map((backup) => (
            <li key={backup.id}>
              <About>
                <b>{backup.serverName}</b>
                <small>
                  {takenText(backup)} · {backup.osName} {backup.osVersion} · {backup.diskGb} GB
                </small>
              </About>
              <span />
              <Acts>
                <ReasonButton
                  size="sm"
                  aria-label={`${verbs.restoreHere} ${backup.serverName} ${takenText(backup)} 的备份`}
                  reason={off ?? backup.reason}
                  onClick={() => onAsk(backup)}
                >
                  {verbs.restoreHere}
                </ReasonButton>
              </Acts>
            </li>
          ))}
        </KeptList>
      ) : (
        <Failed title="加载其他服务器的备份失败" error={elsewhere.error} onRetry={() => void elsewhere.refetch()} />
      )}
      <KeptRules>
        <li>用于克隆服务器，或在原服务器损坏、到期后换一台继续使用。原服务器和备份都不受影响。</li>
        <li>恢复后仍是这台服务器：IP 地址、名称、密码和 SSH 端口不变，SSH 主机密钥重新生成。</li>
      </KeptRules>
    </Card>
  )
}

const takenText = ({ takenAt }: BackupElsewhereView) => (takenAt ? dateTimeText(takenAt) : '')

interface QuestionProps {
  server: ConsoleServer
  backup: BackupElsewhereView
  onClose: () => void
}

/** The other's system, under this one's addresses, name and password. */
function RestoreHere({ server, backup, onClose }: QuestionProps) {
  const restore = trpc.backups.restore.useMutation()
  const [restoreOnce] = useKeyed(restore.mutateAsync, actPatienceMs)
  return (
    <BringBack
      server={server}
      title={verbs.restoreHere}
      confirmLabel="确认恢复到这台服务器"
      to={
        <>
          “{backup.serverName}”在 <b>{takenText(backup)}</b> 的内容
        </>
      }
      lost="这台服务器的全部数据和快照都会丢失，无法找回"
      ask={() => restoreOnce({ serverId: server.id, id: backup.id })}
      onClose={onClose}
    >
      取回备份期间服务器继续运行，随后断电并以备份重新启动，可能自动重启一次。登录用户与备份的系统相同；IP
      地址、名称、密码、SSH 端口和到期时间不变。
    </BringBack>
  )
}
