import { numberText } from '@vps/shared/digits'
import { yuanDigits } from '@vps/shared/money'
import { durationText } from '../../../ui/Time'

/** Exact; an axis names whole yuan, and has no room for their decimals. */
export const yuanText = (yuan: number) => `¥${Number.isInteger(yuan) ? numberText(yuan) : yuanDigits(yuan)}`

export const secondsText = (seconds: number) =>
  seconds < 60 ? `${Number(seconds.toFixed(1))} 秒` : durationText(seconds)

export const countText = (count: number) => numberText(count)
