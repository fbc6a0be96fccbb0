import * as labels from '@vps/shared/labels'
import { DateField } from './DateField'
import { dateOf } from './typed-date'

interface DaysProps {
  values: { from: string; to: string }
  onChange: (change: { from?: string; to?: string }) => void
  /** What they are is said within them. */
  bare?: boolean
}

/** Both days included. What is no day is said at its field, and asked of nobody. */
export function DayRange({ values: { from, to }, onChange, bare = false }: DaysProps) {
  const known = (day: string) => day === '' || dateOf(day, 'day') !== null
  // An address may say anything: the calendar is bounded by days alone.
  const bound = (day: string) => dateOf(day, 'day') ?? ''
  const month = (from: string, to: string) => onChange({ from, to })
  const fields = (
    <>
      <DateField
        label={labels.startDate}
        what={labels.startDate}
        bare={bare}
        max={bound(to)}
        value={from}
        onMonth={month}
        onChange={(day) => known(day) && onChange({ from: day })}
      />
      <DateField
        label={labels.endDate}
        what={labels.endDate}
        bare={bare}
        min={bound(from)}
        value={to}
        onMonth={month}
        onChange={(day) => known(day) && onChange({ to: day })}
      />
    </>
  )
  return bare ? fields : <div role="group">{fields}</div>
}
