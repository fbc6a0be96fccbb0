import * as z from 'zod'
import * as text from './text.js'

/** Whether the signed-in administrator is mailed, and where. */
export const alertsView = z.object({ mailed: z.boolean(), email: z.string() })

export const alertsInput = z.object({ mailed: z.boolean({ error: text.required }) })
