import type { BackupSchedule } from '@vps/shared/backups'
import type { BackupView } from '@vps/shared/backups.contract'
import * as labels from '@vps/shared/labels'

export const weekdayNames = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const

const twoDigits = (hour: number) => String(hour).padStart(2, '0')

/** Each server has its own minute within that hour. */
export const hourText = (hour: number) => `${twoDigits(hour)}:00 至 ${twoDigits((hour + 1) % 24)}:00`

/** 每周日 03:00 至 04:00 备份 */
export const scheduleText = ({ weekday, hour }: Omit<BackupSchedule, 'frequency'>) =>
  `${weekday === null ? labels.everyDay : `每${weekdayNames[weekday - 1]}`} ${hourText(hour)} 备份`

/** Of the disk where known, else of the order for it. */
export const momentOf = ({ takenAt, createdAt }: Pick<BackupView, 'takenAt' | 'createdAt'>) => takenAt ?? createdAt

const states = {
  QUEUED: { tone: 'info', word: '等待备份' },
  RUNNING: { tone: 'info', word: '正在备份' },
  READY: { tone: 'success', word: labels.restorable },
  FAILED: { tone: 'error', word: '备份失败' },
  DELETING: { tone: 'neutral', word: labels.beingDeleted },
} as const satisfies Record<BackupView['state'], unknown>

/** 正在备份 37% while it runs. */
export function stateOf({ state, percentage }: Pick<BackupView, 'state' | 'percentage'>) {
  const { tone, word } = states[state]
  return { tone, word: state === 'RUNNING' && percentage > 0 ? `${word} ${percentage}%` : word }
}
