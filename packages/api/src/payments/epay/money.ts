import { fen, type Fen } from '@vps/shared/money'

/** Money as gateways take it: exactly two decimals, no exponent. */
export function formatFen(amount: Fen): string {
  const digits = String(amount).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Money as gateways write it: `10`, `0.1`, `10.00`, `10.0000`. Nothing for whatever is not that plain, or finer than a
 * fen: an amount that must be guessed is not credited.
 */
export function parseMoney(text: string): Fen | null {
  const [, yuan, decimals = ''] = /^(\d{1,8})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (yuan === undefined || /[1-9]/.test(decimals.slice(2))) return null
  return fen(Number(yuan) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0')))
}
