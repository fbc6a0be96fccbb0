import * as z from 'zod'
import { normalized } from './normalized.js'
import { machinePasswordFault } from './password.js'
import * as text from './text.js'

const longest = 128
const tooLong = { error: text.tooLong(longest) }

/** Normalised, so that another system's keyboard types the same (decision 0151); the upper bound keeps hashing cheap. */
const chosen = (params?: { error: string }) => z.string(params).overwrite(normalized)

/** At least 6 characters. */
export const accountPassword = chosen({ error: text.required })
  .min(1, { error: text.required })
  .min(6, { error: '最少需要 6 个字符' })
  .max(longest, tooLong)

/** In place of another: how many characters it needs, whoever asks says. */
export const nextPassword = chosen().max(longest, tooLong)

const fits = (typed: string) => Math.min(typed.length, normalized(typed).length) <= longest
const limits = { maxLength: longest }

/** To be proven, as it was typed: before passwords were normalised they were hashed so. */
export const givenPassword = z.string().refine(fits, tooLong).meta(limits)

/** The same, where it may not be left out. */
export const provenPassword = (missing: string) =>
  z.string({ error: missing }).min(1, { error: missing }).refine(fits, tooLong).meta(limits)

/** 8 to 64 printable ASCII characters without space, with upper case, lower case and digit. */
export const machinePassword = z
  .string({ error: ({ input }) => (input === undefined ? text.passwordEmpty : undefined) })
  .superRefine((password, context) => {
    const fault = machinePasswordFault(password)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({ minLength: 8, maxLength: 64, description: '须有大写字母、小写字母和数字，可有符号，不能有空格' })
