import { randomInt } from 'node:crypto'
import { shanghaiDay } from '@vps/shared/time'

/** Crockford's base 32: no I, L, O, U, so a number read over the phone arrives. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A number that people read: prefix, Shanghai day, ten random characters (50 bits; the database keeps it unique). */
export function documentNumber(prefix: 'V' | 'T', now: Date): string {
  return `${prefix}${shanghaiDay(now).replaceAll('-', '').slice(2)}${randomText(10)}`
}

/** Number of a payment towards the gateway: 26 characters, 130 random bits, so nobody can guess another's. */
export function outTradeNumber(): string {
  return `R${randomText(25)}`
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
