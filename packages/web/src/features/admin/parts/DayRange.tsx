import * as labels from '@vps/shared/labels'
import { TextField } from '../../../ui/Field'

interface DaysProps {
  values: { from: string; to: string }
  onChange: (change: { from?: string; to?: string }) => void
}

/** From one day to another, both among them. */
export function DayRange({ values, onChange }: DaysProps) {
  return (
    <>
      <TextField
        label={labels.startDate}
        type="date"
        max={values.to}
        value={values.from}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <TextField
        label={labels.endDate}
        type="date"
        min={values.from}
        value={values.to}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  )
}
