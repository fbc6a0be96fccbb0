import * as text from './text.js'
import type * as z from 'zod'

/** In Chinese: the contract's own sentence, or a general one for zod's, said of `named`. */
export function sentenceOf(issue: z.core.$ZodIssue, named = ''): string {
  if (/\p{Script=Han}/u.test(issue.message)) return issue.message
  if (issue.code === 'too_big') return named + most(issue.origin, Number(issue.maximum))
  if (issue.code === 'too_small') return named + least(issue.origin, Number(issue.minimum))
  return `${named}格式不正确`
}

function most(origin: string, maximum: number): string {
  if (origin === 'string') return text.tooLong(maximum)
  return origin === 'array' ? `最多 ${maximum} 项` : `不能大于 ${maximum}`
}

function least(origin: string, minimum: number): string {
  if (origin === 'string') return `至少 ${minimum} 个字符`
  return origin === 'array' ? `至少 ${minimum} 项` : `不能小于 ${minimum}`
}
