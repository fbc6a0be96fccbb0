import * as text from '@vps/shared/text'
import { fail } from './errors.js'

/**
 * Refuses what no column can hold, wherever in an input it stands: U+0000 and lone surrogates in texts and names,
 * numbers beyond what is counted exactly. Looked at once for every procedure at every entry point, before its contract.
 * INVALID_INPUT.
 */
export function refuseUnstorable(input: unknown): void {
  const left: { at: string; value: unknown }[] = [{ at: '', value: input }]
  // A list and no recursion: an input may be nested deeper than the stack.
  for (let next = left.pop(); next; next = left.pop()) {
    const { at, value } = next
    if (!isStorable(value)) {
      const message = typeof value === 'number' ? '数值超出范围' : text.badCharacters
      fail('INVALID_INPUT', { message, errors: { [at || 'input']: message } })
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorable(name)) fail('INVALID_INPUT', { message: text.badCharacters })
      left.push({ at: at ? `${at}.${name}` : name, value: inner })
    }
  }
}

const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return !/[\0\p{Surrogate}]/u.test(value)
  return typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER
}
