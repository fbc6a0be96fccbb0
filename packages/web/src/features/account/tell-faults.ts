import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { fieldErrorsOf } from '../../api/errors'

/** What the server says of a field stands at it. Gives the first one. */
export function tellFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
): Path<Values> | undefined {
  const faults = fieldErrorsOf(error)
  const wrong = (Object.keys(form.getValues()) as Path<Values>[]).filter((field) => faults[field])
  for (const field of wrong) form.setError(field, { message: faults[field] ?? '' })
  return wrong[0]
}
