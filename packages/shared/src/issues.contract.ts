import * as text from './text.js'
import type * as z from 'zod'

/**
 * What is wrong with an input, in Chinese. Contracts give sentences of their own; what zod says by itself is turned
 * into a general one, which `named` can say of what.
 */
export function sentenceOf(issue: z.core.$ZodIssue, named = ''): string {
  if (/\p{Script=Han}/u.test(issue.message)) return issue.message
  if (issue.code === 'too_big' && issue.origin === 'string') return `${named}${text.tooLong(Number(issue.maximum))}`
  if (issue.code === 'too_big') return `${named}不能大于 ${String(issue.maximum)}`
  if (issue.code === 'too_small') return `${named}不能小于 ${String(issue.minimum)}`
  return `${named}格式不正确`
}
