import { numberText } from '@vps/shared/digits'
import { durationText } from '../../../ui/Time'

/** Whole yuan: an axis has no room for more. */
export const yuanText = (yuan: number) => `¥${numberText(yuan)}`

export const secondsText = (seconds: number) =>
  seconds < 60 ? `${Number(seconds.toFixed(1))} 秒` : durationText(seconds)

export const countText = (count: number) => numberText(count)
