import { withThousands } from './digits.js'

/** Fen (1/100 yuan): a safe integer, never a float of yuan. */
export type Fen = number & { readonly __brand: 'Fen' }

/** Throws for anything but a safe integer: a bug. */
export function fen(amount: number): Fen {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an amount in fen: ${amount}`)
  return amount as Fen
}

/** At most two decimals. */
export function isYuan(amount: number): boolean {
  return Number.isFinite(amount) && Math.abs(Math.round(amount * 100) / 100 - amount) < 1e-9
}

/** A third decimal is refused, never rounded. RangeError. */
function fromYuan(amount: number): Fen {
  if (!isYuan(amount)) throw new RangeError(`not a yuan amount: ${amount}`)
  return fen(Math.round(amount * 100))
}

/** The one codec between yuan on the wire and fen. */
export const yuan = { decode: fromYuan, encode: (amount: Fen): number => amount / 100 }

/** Throws on overflow. */
export function sumFen(amounts: readonly Fen[]): Fen {
  return fen(amounts.reduce((sum, amount) => sum + amount, 0))
}

/** Rounded half up (amounts here are never negative). BigInt keeps large products exact. */
export function divideHalfUp(numerator: bigint, denominator: bigint): Fen {
  return fen(Number((2n * numerator + denominator) / (2n * denominator)))
}

/** Rounded half up to the fen. `percentage`: up to two decimals. */
export function percentOff(amount: Fen, percentage: number): Fen {
  const hundredths = BigInt(Math.round(percentage * 100))
  return divideHalfUp(BigInt(amount) * (10_000n - hundredths), 10_000n)
}

/** `1,234.50`. */
export const yuanDigits = (amount: number): string => withThousands(amount.toFixed(2))

/** `¥1,234.50`: for people. */
export function formatYuan(amount: Fen): string {
  return `¥${yuanDigits(yuan.encode(amount))}`
}
