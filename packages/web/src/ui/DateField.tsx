import * as text from '@vps/shared/text'
import { CalendarDays } from 'lucide-react'
import { lazy, useRef, useState, type ComponentProps } from 'react'
import { Inside, TextField } from './Field'
import { Opening } from './Opening'
import { dateOf, dateShown, type DateGrain } from './typed-date'

const DatePopup = lazy(async () => ({ default: (await import('./DatePopup')).DatePopup }))

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'min' | 'max' | 'end' | 'type'> & {
  /** Names the calendar's button. */
  what: string
  /** `2026-11-20` or `2026-11-20T14:20`; empty is none. What is no date is handed on as typed. */
  value: string
  onChange: (value: string) => void
  grain?: DateGrain
  min?: string
  max?: string
  /** A whole month, for both ends. */
  onMonth?: (first: string, last: string) => void
}

/** Typed in many ways, or taken from a calendar. */
export function DateField({ what, value, onChange, onBlur, grain = 'day', min, max, onMonth, error, ...rest }: Props) {
  const [typed, setTyped] = useState(() => dateShown(value))
  const [seen, setSeen] = useState(value)
  const [left, setLeft] = useState(false)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const meant = dateOf(typed, grain)
  const wrong = meant === null && typed.trim() !== ''
  // Set from elsewhere, not typed here.
  if (value !== seen) {
    setSeen(value)
    if (value !== (meant ?? typed.trim())) setTyped(dateShown(value))
  }
  const write = (next: string) => {
    setTyped(next)
    setLeft(false)
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
      onBlur={(event) => {
        setLeft(true)
        if (meant !== null) setTyped(dateShown(meant))
        onBlur?.(event)
      }}
      error={left && wrong ? (grain === 'day' ? text.badDate : text.badTime) : error}
      end={
        <>
          <Inside
            ref={button}
            type="button"
            aria-label={`选择${what}`}
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={() => setOpen(true)}
          >
            <CalendarDays size={16} strokeWidth={1.75} aria-hidden />
          </Inside>
          {open && (
            <Opening onGiveUp={() => setOpen(false)}>
              <DatePopup
                anchor={button}
                what={what}
                day={meant?.slice(0, 10) ?? null}
                min={min}
                max={max}
                onMonth={onMonth}
                onPick={(day) => write(day + dateShown(meant ?? '').slice(10))}
                onClose={() => setOpen(false)}
              />
            </Opening>
          )}
        </>
      }
    />
  )
}
