import * as z from 'zod'
import { text } from './text.js'

export const label = z
  .string({ error: text.required })
  .trim()
  .min(1, { error: text.required })
  .max(100, { error: '最多 100 个字符' })
