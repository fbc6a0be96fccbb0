import { backupCan, type BackupPlaces } from '@vps/shared/backups'
import type { BackupScheduleInput, BackupsView } from '@vps/shared/backups.contract'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import styled from 'styled-components'
import { messageOf } from '../../api/errors'
import { trpc } from '../../api/trpc'
import { color, font, media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { Dialog } from '../../ui/Dialog'
import { SaveButtons } from '../../ui/SaveButtons'
import { options, Select } from '../../ui/Select'
import { toast } from '../../ui/toast'
import { useOpen } from '../../ui/use-open'
import { hourText, weekdayNames } from './backup-words'

const frequencies = options([
  ['daily', labels.everyDay],
  ['weekly', labels.everyWeek],
  ['off', '不自动备份'],
])
const weekdays = weekdayNames.map((name, n) => ({ value: String(n + 1), text: name }))
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), text: hourText(hour) }))

interface Props {
  serverId: string
  places: BackupPlaces
  schedule: BackupsView['schedule']
  onClose: () => void
}

/** How often, on which day, in which hour. */
export function BackupScheduleDialog({ serverId, places, schedule, onClose }: Props) {
  const utils = trpc.useUtils()
  const isOpen = useOpen()
  const set = trpc.backups.setSchedule.useMutation({ onSuccess: () => utils.backups.invalidate() })
  const [frequency, setFrequency] = useState<(typeof frequencies)[number]['value']>(schedule?.frequency ?? 'daily')
  const [weekday, setWeekday] = useState(String(schedule?.weekday ?? 7))
  const [hour, setHour] = useState(String(schedule?.hour ?? 3))
  const reason = frequency === 'off' ? null : backupCan.schedule(places)

  async function save() {
    try {
      await set.mutateAsync({ serverId, schedule: inputOf(frequency, Number(weekday), Number(hour)) })
      toast(frequency === 'off' ? '已关闭定时备份' : '定时备份已设置', 'success')
      if (isOpen()) onClose()
    } catch (error) {
      if (!isOpen()) toast(messageOf(error), 'error')
    }
  }

  return (
    <Dialog
      open
      sticky
      width={540}
      title={verbs.setBackupSchedule}
      onClose={onClose}
      footer={<SaveButtons form="backup-schedule" disabled={reason !== null} busy={set.isPending} onCancel={onClose} />}
    >
      <Form
        id="backup-schedule"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Select label="频率" options={frequencies} value={frequency} onChange={setFrequency} />
        {frequency === 'weekly' && <Select label="星期" options={weekdays} value={weekday} onChange={setWeekday} />}
        {frequency !== 'off' && <Select label="时段" options={hours} value={hour} onChange={setHour} />}
        <p>
          {frequency === 'off'
            ? '不再自动备份，已有的备份会保留。'
            : '按北京时间，在所选的一小时内开始；没有完成时自动重试。'}
        </p>
        {reason && <Alert tone="warning">{reason}</Alert>}
        {set.isError && <Alert tone="error">{messageOf(set.error)}</Alert>}
      </Form>
    </Dialog>
  )
}

function inputOf(frequency: 'off' | 'daily' | 'weekly', weekday: number, hour: number): BackupScheduleInput {
  if (frequency === 'off') return { frequency }
  return frequency === 'daily' ? { frequency, hour } : { frequency, hour, weekday }
}

const Form = styled.form`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(148px, 1fr));
  gap: 16px;

  > p,
  > [role='alert'] {
    grid-column: 1 / -1;
  }

  p {
    ${font.sm}
    color: ${color.text2};
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`
