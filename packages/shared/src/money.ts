import * as z from 'zod'

/** An amount in fen (1/100 yuan): a safe integer, never a float of yuan. */
export type Fen = number & { readonly __brand: 'Fen' }

/** Marks a safe integer as fen; anything else is a bug and throws. */
export function fen(amount: number): Fen {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an amount in fen: ${amount}`)
  return amount as Fen
}

/** Yuan as they travel on the wire: a number with at most two decimals. */
export function toYuan(amount: Fen): number {
  return amount / 100
}

/** Fen of a yuan number; a third decimal is refused, never rounded away. Throws RangeError. */
export function fromYuan(yuan: number): Fen {
  const amount = Math.round(yuan * 100)
  if (!Number.isFinite(yuan) || Math.abs(amount / 100 - yuan) > 1e-9) throw new RangeError(`not a yuan amount: ${yuan}`)
  return fen(amount)
}

/** Sum of amounts; overflow of the safe range throws. */
export function sumFen(amounts: readonly Fen[]): Fen {
  return fen(amounts.reduce((sum, amount) => sum + amount, 0))
}

/**
 * `numerator / denominator`, rounded half up (away from zero for negatives is never needed: amounts here are not negative).
 * BigInt keeps products of large amounts exact.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): Fen {
  return fen(Number((2n * numerator + denominator) / (2n * denominator)))
}

/** price x (1 - pct/100), rounded half up to the fen. `percentage` may have up to two decimals. */
export function percentOff(amount: Fen, percentage: number): Fen {
  const hundredths = BigInt(Math.round(percentage * 100))
  return divideHalfUp(BigInt(amount) * (10_000n - hundredths), 10_000n)
}

/** `¥1,234.50`: for texts that people read. */
export function formatYuan(yuan: number): string {
  return `¥${yuan.toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

const decimals = (yuan: number) => Math.abs(Math.round(yuan * 100) / 100 - yuan) < 1e-9

/** Input of an amount in yuan (at most two decimals); parsed to fen. */
export const yuanToFen = z
  .number({ error: '金额格式不正确' })
  .min(-100_000_000, { error: '金额超出范围' })
  .max(100_000_000, { error: '金额超出范围' })
  .refine(decimals, { error: '金额最多保留两位小数' })
  .transform(fromYuan)
