import { unstorable } from '@vps/shared/storable'
import * as text from '@vps/shared/text'
import { fail } from './errors.js'

/**
 * U+0000, lone surrogates and numbers beyond exact counting, anywhere in an input; before every contract.
 * INVALID_INPUT.
 */
export function refuseUnstorable(input: unknown): void {
  const left: { at: string; value: unknown }[] = [{ at: '', value: input }]
  // No recursion: inputs may be nested deeper than the stack.
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
  if (typeof value === 'string') return value.search(unstorable) < 0
  return typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER
}
