import * as z from 'zod'
import * as text from './text.js'

/** Whether the signed-in administrator is mailed, and where; `fault`: why no mail would arrive. */
export const alertsView = z.object({ mailed: z.boolean(), email: z.string(), fault: z.string().nullable() })

export const alertsInput = z.object({ mailed: z.boolean({ error: text.required }) })
