import * as z from 'zod'
import { errorTable } from './errors.js'
import { longestRead, normalized } from './normalized.js'
import * as text from './text.js'
import { endOfShanghaiDay, startOfShanghaiDay } from './time.js'

const longest = { error: text.tooLong(100) }

/** For what has letters, digits and signs alone: pasted with marks that nobody sees, or in wide type, it is meant without. */
export const plain = (params?: { error: string }) =>
  z
    .string(params)
    .overwrite((typed) => normalized(typed).replaceAll(/\p{Cf}/gu, ''))
    .trim()

/** Without line ends, control characters and marks that turn the direction: in a subject, a title or a row it changes nothing else. */
export const oneLine = () =>
  z
    .string({ error: text.required })
    .overwrite((typed) =>
      typed.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    )
    .trim()
    .min(1, { error: text.required })

/** 1 to 100 characters. */
export const label = oneLine().max(100, longest)

/** One sentence says both limits. */
export function wholeNumber(min: number, max: number) {
  const error = `需为${min}-${max}的整数`
  return z.int({ error }).min(min, { error }).max(max, { error })
}

export const sortOrder = z
  .int({ error: '排序需为整数' })
  .min(0, { error: '排序不能小于0' })
  .max(1_000_000, { error: '排序不能大于1000000' })

/** Of those that grow with versions: what a later one's processes wrote beside ours is told by its word. */
export const wordOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words).or(z.custom<Word>((word) => typeof word === 'string').meta({ type: 'string' }))

/** At most 100 characters; pasted, it may have marks around it that nobody sees. */
export const searchText = z
  .string()
  .overwrite((typed) => (typed.length > longestRead ? typed : typed.replaceAll(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')))
  .max(100, longest)
  .optional()

const dayIn = { error: text.badDate }

/** Days in Asia/Shanghai, both included. */
export const dayRange = z
  .object({
    from: z.iso.date(dayIn).transform(startOfShanghaiDay),
    to: z.iso.date(dayIn).transform(endOfShanghaiDay),
  })
  .partial()
export type DayRange = z.infer<typeof dayRange>

/** What is no id: NOT_FOUND's sentence. */
export const recordRef = z.object({ id: z.uuid({ error: errorTable.NOT_FOUND.message }) })

/** Means of a step in percent; null: nothing told. */
export const usagePoint = z.object({
  at: z.string(),
  cpuUsage: z.number().nullable(),
  memoryUsage: z.number().nullable(),
  diskUsage: z.number().nullable(),
})
