/** Empty is NaN, or null where allowed; what is no number stays as typed. */
export function numberOf(typed: string, optional: boolean): number | string | null {
  const text = plainDigits(typed)
  if (text === '') return optional ? null : Number.NaN
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

export const numberText = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' && !Number.isNaN(value) ? String(value) : ''

const asShown = /^([+-]?) ?¥? ?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?: ?元)?$/

/** As every amount is shown and may be pasted, with `¥` and thousands apart; in wide digits, too. */
function plainDigits(typed: string): string {
  const text = typed.normalize('NFKC').trim()
  const [, sign, digits] = asShown.exec(text) ?? []
  return digits === undefined ? text : (sign === '-' ? sign : '') + digits.replaceAll(',', '')
}
