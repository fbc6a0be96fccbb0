/** A number as it is typed, and as it stands in a form. */

/** Left empty it is NaN, or null where it may be; what is no number stays as it was typed. */
export function numberOf(typed: string, optional: boolean): number | string | null {
  const text = typed.trim()
  if (text === '') return optional ? null : Number.NaN
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

/** A number as its field shows it. */
export const numberText = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' && !Number.isNaN(value) ? String(value) : ''
