import * as z from 'zod'
import { machinePasswordFault } from './password.js'
import * as text from './text.js'

/** At least 6 characters; the upper bound keeps hashing cheap. */
export const accountPassword = z
  .string({ error: text.required })
  .min(1, { error: text.required })
  .min(6, { error: '最少需要 6 个字符' })
  .max(128, { error: text.tooLong(128) })

/** 8 to 64 printable ASCII characters without space, with upper case, lower case and digit. */
export const machinePassword = z
  .string({ error: ({ input }) => (input === undefined ? text.passwordEmpty : undefined) })
  .superRefine((password, context) => {
    const fault = machinePasswordFault(password)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({ minLength: 8, maxLength: 64, description: '须有大写字母、小写字母和数字，可有符号，不能有空格' })
