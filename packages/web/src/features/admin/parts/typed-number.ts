/** Empty is NaN, or null where allowed; what is no number stays as typed. */
export function numberOf(typed: string, optional: boolean): number | string | null {
  const text = typed.trim()
  if (text === '') return optional ? null : Number.NaN
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

export const numberText = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' && !Number.isNaN(value) ? String(value) : ''
