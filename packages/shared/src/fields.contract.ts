import * as z from 'zod'
import { errorTable } from './errors.js'
import * as text from './text.js'

const longest = { error: text.tooLong(100) }

/** What something is called: 1 to 100 characters. */
export const label = z.string({ error: text.required }).trim().min(1, { error: text.required }).max(100, longest)

/** What is searched for in a list: at most 100 characters. */
export const searchText = z.string().trim().max(100, longest).optional()

/** Names a thing by its id; what is no id names nothing (NOT_FOUND's sentence). */
export const recordRef = z.object({ id: z.uuid({ error: errorTable.NOT_FOUND.message }) })

/** What every chart of machines has at a moment: means of a step in percent (0-100), null where nothing was told. */
export const usagePoint = z.object({
  at: z.string(),
  cpuUsage: z.number().nullable(),
  memoryUsage: z.number().nullable(),
  diskUsage: z.number().nullable(),
})
