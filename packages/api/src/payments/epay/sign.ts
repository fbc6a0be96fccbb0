import { createHash, timingSafeEqual } from 'node:crypto'
import type { Fields } from './fields.js'

/**
 * V1: every field but `sign`, `sign_type` and empty ones (`0` is not), sorted by byte, raw values, the key behind, MD5.
 * Names are ASCII, so the default sort serves.
 */
export function signFields(fields: Fields, key: string): string {
  const text = [...fields]
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5')
    .update(text + key, 'utf8')
    .digest('hex')
}

/** As they go on the wire. */
export function withSignature(fields: Fields, key: string): Map<string, string> {
  return new Map([...fields, ['sign', signFields(fields, key)], ['sign_type', 'MD5']])
}

/** In constant time for every length. Only MD5: another `sign_type` would be a downgrade. */
export function isSigned(fields: Fields, key: string): boolean {
  if (key === '') throw new Error('an empty key signs nothing')
  const type = fields.get('sign_type') ?? 'MD5'
  const given = digest(fields.get('sign') ?? '')
  return timingSafeEqual(given, digest(signFields(fields, key))) && type.toUpperCase() === 'MD5'
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
