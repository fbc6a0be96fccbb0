import { randomInt } from 'node:crypto'
import { shanghaiDay } from '@vps/shared/time'

/** Crockford's base 32, without I, L, O, U, for the phone. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Prefix, Shanghai day, ten random characters (50 bits; unique in the database). */
export function documentNumber(prefix: 'V' | 'T', now: Date): string {
  return `${prefix}${shanghaiDay(now).replaceAll('-', '').slice(2)}${randomText(10)}`
}

/** 26 characters, 130 random bits: not to be guessed. */
export function outTradeNumber(): string {
  return `R${randomText(25)}`
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
