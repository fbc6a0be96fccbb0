import { Dices } from 'lucide-react'
import { named } from '../ui/Button'
import { Inside, TextField } from '../ui/Field'
import { makePort } from './machine-access'

/** A machine's SSH port, typed or thrown. */
export function PortField({
  throwing,
  value,
  onChange,
  ...field
}: {
  label: string
  help?: string
  error: string | undefined
  throwing: string
  value: string
  onChange: (port: string) => void
}) {
  return (
    <TextField
      {...field}
      inputMode="numeric"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      end={
        <Inside type="button" {...named(throwing)} onClick={() => onChange(makePort())}>
          <Dices size={16} strokeWidth={1.75} />
        </Inside>
      }
    />
  )
}
