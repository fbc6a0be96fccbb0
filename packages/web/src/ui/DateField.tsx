import * as text from '@vps/shared/text'
import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { Dialog, DialogTrigger, Popover, Pressable } from 'react-aria-components'
import styled from 'styled-components'
import { color, radius, shadow } from '../theme/tokens'
import { Inside, TextField } from './Field'
import { dateOf, dateShown, type DateGrain } from './typed-date'

const DateCalendar = lazy(async () => ({ default: (await import('./DateCalendar')).DateCalendar }))

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'min' | 'max' | 'end' | 'type'> & {
  /** Names the calendar's button. */
  what: string
  /** `2026-11-20` or `2026-11-20T14:20`; empty is no date. What is no date is handed on as it was typed. */
  value: string
  onChange: (value: string) => void
  grain?: DateGrain
  min?: string
  max?: string
}

/**
 * A date by the shop's clock: typed as one likes to write it, or taken from a calendar, which comes when it is opened.
 */
export function DateField({ what, value, onChange, onBlur, grain = 'day', min, max, error, ...rest }: Props) {
  const [typed, setTyped] = useState(() => dateShown(value))
  const [seen, setSeen] = useState(value)
  const [left, setLeft] = useState(false)
  const meant = dateOf(typed, grain)
  const wrong = meant === null && typed.trim() !== ''
  // Set from elsewhere: what stands here was not typed.
  if (value !== seen) {
    setSeen(value)
    if (value !== (meant ?? typed.trim())) setTyped(dateShown(value))
  }
  const write = (next: string) => {
    setTyped(next)
    onChange(dateOf(next, grain) ?? next.trim())
  }

  return (
    <TextField
      {...rest}
      autoComplete="off"
      inputMode={grain === 'day' ? 'numeric' : 'text'}
      placeholder={rest.bare ? what : grain === 'day' ? '年-月-日' : '年-月-日 时:分'}
      value={typed}
      onChange={(event) => write(event.target.value)}
      onFocus={() => setLeft(false)}
      onBlur={(event) => {
        setLeft(true)
        if (meant !== null) setTyped(dateShown(meant))
        onBlur?.(event)
      }}
      error={left && wrong ? (grain === 'day' ? text.badDate : text.badTime) : error}
      end={
        <DialogTrigger>
          <Pressable>
            <Inside type="button" aria-label={`选择${what}`}>
              <CalendarDays size={16} strokeWidth={1.75} aria-hidden />
            </Inside>
          </Pressable>
          <Layer placement="bottom end" offset={6}>
            <Dialog aria-label={what}>
              {({ close }) => (
                <Suspense fallback={<Room />}>
                  <DateCalendar
                    day={meant?.slice(0, 10) ?? null}
                    min={min}
                    max={max}
                    onPick={(day) => {
                      write(day + dateShown(meant ?? '').slice(10))
                      close()
                    }}
                  />
                </Suspense>
              )}
            </Dialog>
          </Layer>
        </DialogTrigger>
      }
    />
  )
}

const Layer = styled(Popover)`
  border-radius: ${radius.card};
  background: ${color.raised};
  box-shadow: ${shadow.menu};

  [role='dialog'] {
    outline: none;
  }
`

/* As large as the calendar, which takes its place. */
const Room = styled.div`
  width: 332px;
  height: 380px;
`
