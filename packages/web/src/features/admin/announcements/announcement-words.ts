import type { ChipTone } from '../../../ui/Chip'

export const levelWords = { info: '普通', warning: '重要' }

interface Announcement {
  startsAt: string
  endsAt: string | null
  groupName: string | null
  hostName: string | null
}

/** 未开始, 展示中 or 已结束. */
export function stateOf({ startsAt, endsAt }: Announcement, now: number): { word: string; tone: ChipTone } {
  if (endsAt !== null && Date.parse(endsAt) <= now) return { word: '已结束', tone: 'neutral' }
  return Date.parse(startsAt) > now ? { word: '未开始', tone: 'info' } : { word: '展示中', tone: 'success' }
}

/** Whom a notice reaches. */
export function audienceText({ groupName, hostName }: Announcement): string {
  if (groupName !== null) return `分组 ${groupName}`
  return hostName === null ? '所有人' : `宿主机 ${hostName}`
}
