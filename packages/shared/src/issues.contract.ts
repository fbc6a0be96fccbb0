import * as text from './text.js'
import type * as z from 'zod'

/** In Chinese: the contract's own sentence, or a general one for zod's, said of `named`. */
export function sentenceOf(issue: z.core.$ZodIssue, named = ''): string {
  if (/\p{Script=Han}/u.test(issue.message)) return issue.message
  if (issue.code === 'too_big' && issue.origin === 'string') return `${named}${text.tooLong(Number(issue.maximum))}`
  if (issue.code === 'too_big') return `${named}不能大于 ${String(issue.maximum)}`
  if (issue.code === 'too_small') return `${named}不能小于 ${String(issue.minimum)}`
  return `${named}格式不正确`
}
