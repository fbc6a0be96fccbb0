import { backupCan, backupKeptDays, backupOriginNames, isUnderWay } from '@vps/shared/backups'
import type { BackupsView, BackupView } from '@vps/shared/backups.contract'
import { migratingNow } from '@vps/shared/cold-migrations'
import { errorTable } from '@vps/shared/errors'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { CalendarClock, DatabaseBackup } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { actReason } from '../../servers/act-reason'
import type { ConsoleServer } from '../../servers/console-server'
import { color, font, media } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { bytesText } from '../../ui/bytes-text'
import { Card } from '../../ui/Card'
import { Chip } from '../../ui/Chip'
import { useFocusBeside } from '../../ui/focus-beside'
import { Bar, Empty, Failed } from '../../ui/states'
import { dateTimeText } from '../../ui/Time'
import { ReasonButton } from '../../ui/Tip'
import { DeleteBackup, MakeBackup, RestoreBackup } from './BackupQuestions'
import { BackupScheduleDialog } from './BackupScheduleDialog'
import { momentOf, scheduleText, stateOf } from './backup-words'
import { About, Acts, KeptList, KeptRules } from './KeptList'

type Asking = { act: 'make' | 'schedule' } | { act: 'restore' | 'delete'; backup: BackupView }

/** Copies of the disk, away from its host. */
export function BackupsCard({ server }: { server: ConsoleServer }) {
  const backups = trpc.backups.list.useQuery({ serverId: server.id })
  const [asking, setAsking] = useState<Asking | null>(null)
  const view = backups.data
  const close = () => setAsking(null)

  return (
    <Card
      title={labels.backups}
      note={view && view.most > 0 && `已用 ${view.used} / ${view.most} 个`}
      actions={
        view && (
          <ReasonButton
            size="sm"
            icon={<DatabaseBackup size={14} strokeWidth={1.75} aria-hidden />}
            reason={makeReason(server, view)}
            onClick={() => setAsking({ act: 'make' })}
          >
            {verbs.backUp}
          </ReasonButton>
        )
      }
    >
      {backups.isError && !view ? (
        <Failed title="加载备份失败" error={backups.error} onRetry={() => void backups.refetch()} />
      ) : !view ? (
        <Bar $height={120} />
      ) : (
        <>
          <Schedule view={view} onChange={() => setAsking({ act: 'schedule' })} />
          {view.backups.length === 0 ? (
            <Empty icon={DatabaseBackup} title="还没有备份">
              设置定时备份，或现在创建一个；磁盘损坏或误删数据时可以恢复。
            </Empty>
          ) : (
            <KeptList>
              {view.backups.map((backup) => (
                <Row
                  key={backup.id}
                  backup={backup}
                  restoreReason={
                    actReason(server, 'restore') ?? (server.protected ? errorTable.PROTECTED.message : null)
                  }
                  removeReason={server.migrating ? migratingNow : null}
                  onAsk={(act) => setAsking({ act, backup })}
                />
              ))}
            </KeptList>
          )}
        </>
      )}
      <KeptRules>
        <li>备份加密保存在备份存储中，不占用服务器的磁盘。第一次备份整块磁盘，之后只保存变化的部分。</li>
        <li>备份期间服务器照常运行，其他操作优先：正在进行的备份会被中断，定时备份稍后自动重试。</li>
        <li>位置用满后，新的定时备份会替换最早的定时备份；手动备份不会被自动删除。</li>
        {view && view.used > view.most && (
          <li>宿主机损坏之前的备份不会被替换，直到您恢复其中一个；不需要的可以删除。</li>
        )}
        <li>服务器释放后，备份保留 {backupKeptDays} 天。</li>
      </KeptRules>
      {asking?.act === 'make' && <MakeBackup server={server} onClose={close} />}
      {asking?.act === 'schedule' && view && (
        <BackupScheduleDialog serverId={server.id} places={view} schedule={view.schedule} onClose={close} />
      )}
      {asking?.act === 'restore' && <RestoreBackup server={server} backup={asking.backup} onClose={close} />}
      {asking?.act === 'delete' && <DeleteBackup server={server} backup={asking.backup} onClose={close} />}
    </Card>
  )
}

const makeReason = (server: ConsoleServer, view: BackupsView) =>
  actReason(server, 'backup') ??
  (view.backups.some(({ state }) => isUnderWay(state)) ? text.backupUnderWay : backupCan.create(view))

function Schedule({ view, onChange }: { view: BackupsView; onChange: () => void }) {
  const { schedule } = view
  const stopped = backupCan.schedule(view)
  return (
    <Line>
      <CalendarClock size={18} strokeWidth={1.75} aria-hidden />
      <div>
        <b>{schedule ? scheduleText(schedule) : '没有设置定时备份'}</b>
        {schedule && <small>{stopped ?? `下一次在 ${dateTimeText(schedule.nextAt)}`}</small>}
      </div>
      <Button size="sm" onClick={onChange}>
        {verbs.setBackupSchedule}
      </Button>
    </Line>
  )
}

function Row({
  backup,
  restoreReason,
  removeReason,
  onAsk,
}: {
  backup: BackupView
  restoreReason: string | null
  removeReason: string | null
  onAsk: (act: 'restore' | 'delete') => void
}) {
  // What asks for it goes once it is done.
  useFocusBeside()
  const { state, origin, osName, osVersion, diskGb, addedBytes, error } = backup
  const { tone, word } = stateOf(backup)
  const moment = dateTimeText(momentOf(backup))
  return (
    <li>
      <About>
        <b>{moment}</b>
        <small>
          {backupOriginNames[origin]} · {osName} {osVersion} · {diskGb} GB
          {addedBytes !== null && ` · 新增 ${bytesText(addedBytes)}`}
        </small>
        {error && <Wrong>{error}</Wrong>}
      </About>
      <Chip tone={tone} busy={state === 'RUNNING' || state === 'DELETING'}>
        {word}
      </Chip>
      <Acts>
        <ReasonButton
          size="sm"
          aria-label={`恢复 ${moment} 的备份`}
          reason={restoreReason ?? backupCan.restore(state)}
          onClick={() => onAsk('restore')}
        >
          {verbs.resume}
        </ReasonButton>
        <ReasonButton
          size="sm"
          aria-label={`删除 ${moment} 的备份`}
          reason={removeReason ?? backupCan.remove(state)}
          onClick={() => onAsk('delete')}
        >
          {verbs.remove}
        </ReasonButton>
      </Acts>
    </li>
  )
}

const Line = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr) auto;
  align-items: center;
  gap: 12px;
  padding-bottom: 12px;
  border-bottom: 1px solid ${color.line};

  > div {
    display: grid;
  }

  svg {
    color: ${color.text2};
  }

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }

  ${media.phone} {
    grid-template-columns: auto minmax(0, 1fr);

    > button {
      grid-column: 1 / -1;
    }
  }
`

const Wrong = styled.small`
  && {
    color: ${color.error.text};
  }
`
