import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { fieldErrorsOf } from '../../api/errors'

/** What the server says of a field stands at it. */
export function tellFaults<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): void {
  const faults = fieldErrorsOf(error)
  for (const field of Object.keys(form.getValues()) as Path<Values>[]) {
    const message = faults[field]
    if (message) form.setError(field, { message })
  }
}
