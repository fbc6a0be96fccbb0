import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import type { ChipTone } from '../../../ui/Chip'

export const levelWords = { info: '普通', warning: labels.important }

interface Announcement {
  startsAt: string
  endsAt: string | null
  groupName: string | null
  hostName: string | null
}

/** 未开始, 展示中 or 已结束. */
export function stateOf({ startsAt, endsAt }: Announcement, now: number): { word: string; tone: ChipTone } {
  if (endsAt !== null && Date.parse(endsAt) <= now) return { word: states.ended, tone: 'neutral' }
  return Date.parse(startsAt) > now ? { word: states.notStarted, tone: 'info' } : { word: '展示中', tone: 'success' }
}

/** Whom it reaches. */
export function audienceText({ groupName, hostName }: Announcement): string {
  if (groupName !== null) return `分组 ${groupName}`
  return hostName === null ? labels.everyone : `宿主机 ${hostName}`
}
