import { shanghaiClock, shanghaiDay } from '@vps/shared/time'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'

type Moment = string | number | Date | null | undefined

/** 2026-11-20 in Shanghai. */
export const dateText = (moment: Moment): string => (moment == null ? '—' : shanghaiDay(new Date(moment)))

/** 14:20:08 in Shanghai. */
export const clockTime = (moment: Moment): string => (moment == null ? '—' : shanghaiClock(new Date(moment)))

/** 2026-11-20 14:20:08 in Shanghai. */
export const dateTimeText = (moment: Moment): string =>
  moment == null ? '—' : `${dateText(moment)} ${clockTime(moment)}`

/** As 0:07, 12:30 or 1:02:03. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** A date with its clock time dimmer. */
export function Time({ at }: { at: Moment }) {
  if (at == null) return <Dim>—</Dim>
  return (
    <Stamp dateTime={new Date(at).toISOString()}>
      {dateText(at)} <Dim>{clockTime(at)}</Dim>
    </Stamp>
  )
}

export const Dim = styled.span`
  color: ${color.text3};
`

const Stamp = styled.time`
  ${font.numbers}
  white-space: nowrap;
`
