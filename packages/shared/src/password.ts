import * as text from './text.js'

export type PasswordStrength = 'weak' | 'medium' | 'strong'

/** 0 to 6 (part 1 section 5). */
export function passwordScore(password: string): number {
  return [
    password.length >= 8,
    password.length >= 12,
    /[a-z]/.test(password),
    /[A-Z]/.test(password),
    /\d/.test(password),
    /[^A-Za-z0-9]/.test(password),
  ].filter(Boolean).length
}

/** Up to 2 weak, up to 4 medium. */
export function passwordStrength(password: string): PasswordStrength {
  const score = passwordScore(password)
  if (score <= 2) return 'weak'
  return score <= 4 ? 'medium' : 'strong'
}

/** In the specification's words (part 1 section 5), or null. */
export function machinePasswordFault(password: string): string | null {
  if (password === '') return text.passwordEmpty
  if (password.length < 8) return '密码长度至少需要8个字符'
  if (password.length > 64) return '密码长度最多64个字符'
  if (!/[A-Z]/.test(password)) return '密码必须包含大写字母'
  if (!/[a-z]/.test(password)) return '密码必须包含小写字母'
  if (!/\d/.test(password)) return '密码必须包含数字'
  if (!/^[\x21-\x7e]+$/.test(password)) return '密码只能包含英文字母、数字和符号，且不能有空格'
  return null
}

const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const lower = 'abcdefghijkmnpqrstuvwxyz'
const digits = '23456789'
/** No 0/O, 1/l/I: it is read off a screen. */
export const passwordAlphabet = upper + lower + digits

/**
 * 12 characters by the machine rules. `random(n)` must be unbiased below n (crypto.randomInt, crypto.getRandomValues).
 */
export function generatePassword(random: (below: number) => number, length = 12): string {
  const pick = (from: string) => from[random(from.length)]!
  const characters = [pick(upper), pick(lower), pick(digits)]
  while (characters.length < length) characters.push(pick(passwordAlphabet))
  for (let i = characters.length - 1; i > 0; i--) {
    const j = random(i + 1)
    ;[characters[i], characters[j]] = [characters[j]!, characters[i]!]
  }
  return characters.join('')
}
