import { withThousands } from './digits.js'

/** An amount in fen (1/100 yuan): a safe integer, never a float of yuan. */
export type Fen = number & { readonly __brand: 'Fen' }

/** Marks a safe integer as fen; anything else is a bug and throws. */
export function fen(amount: number): Fen {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an amount in fen: ${amount}`)
  return amount as Fen
}

/** Whether a number is an amount in yuan: at most two decimals. */
export function isYuan(amount: number): boolean {
  return Number.isFinite(amount) && Math.abs(Math.round(amount * 100) / 100 - amount) < 1e-9
}

/** Fen of a yuan number; a third decimal is refused, never rounded away. Throws RangeError. */
function fromYuan(amount: number): Fen {
  if (!isYuan(amount)) throw new RangeError(`not a yuan amount: ${amount}`)
  return fen(Math.round(amount * 100))
}

/** The one codec between the wire, where amounts are numbers of yuan, and everything else, where they are fen. */
export const yuan = { decode: fromYuan, encode: (amount: Fen): number => amount / 100 }

/** Sum of amounts; overflow of the safe range throws. */
export function sumFen(amounts: readonly Fen[]): Fen {
  return fen(amounts.reduce((sum, amount) => sum + amount, 0))
}

/**
 * `numerator / denominator`, rounded half up (away from zero for negatives is never needed: amounts here are not
 * negative). BigInt keeps products of large amounts exact.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): Fen {
  return fen(Number((2n * numerator + denominator) / (2n * denominator)))
}

/** price x (1 - pct/100), rounded half up to the fen. `percentage` may have up to two decimals. */
export function percentOff(amount: Fen, percentage: number): Fen {
  const hundredths = BigInt(Math.round(percentage * 100))
  return divideHalfUp(BigInt(amount) * (10_000n - hundredths), 10_000n)
}

/** `1,234.50`. */
export const yuanDigits = (amount: number): string => withThousands(amount.toFixed(2))

/** `¥1,234.50`: for texts that people read. */
export function formatYuan(amount: Fen): string {
  return `¥${yuanDigits(yuan.encode(amount))}`
}
