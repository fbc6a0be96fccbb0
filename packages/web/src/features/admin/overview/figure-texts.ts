import { durationText } from '../../../ui/Time'

/** Whole yuan: an axis has no room for more. */
export const yuanText = (yuan: number) => `¥${yuan.toLocaleString('zh-CN', { maximumFractionDigits: 0 })}`

export const secondsText = (seconds: number) =>
  seconds < 60 ? `${Number(seconds.toFixed(1))} 秒` : durationText(seconds)

export const countText = (count: number) => Math.round(count).toLocaleString('zh-CN')
