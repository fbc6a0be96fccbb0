import * as z from 'zod'
import { namesOf } from './records.js'
import { unsoldReasons } from './unsold.js'

/** Groups of which nothing can be bought, and the first reason of each. */
export const unsoldView = z.array(
  z.object({
    groupId: z.uuid(),
    reason: z.enum(namesOf(unsoldReasons)),
    /** For people. */
    message: z.string(),
  }),
)
