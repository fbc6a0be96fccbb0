import { fen, type Fen } from '@vps/shared/money'

/** Exactly two decimals, no exponent. */
export function formatFen(amount: Fen): string {
  const digits = String(amount).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** `10`, `0.1`, `10.00`, `10.0000`; else null: a guessed amount is not credited. */
export function parseMoney(text: string): Fen | null {
  const [, yuan, decimals = ''] = /^(\d{1,8})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (yuan === undefined || /[1-9]/.test(decimals.slice(2))) return null
  return fen(Number(yuan) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0')))
}
