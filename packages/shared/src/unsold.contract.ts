import * as z from 'zod'
import { namesOf } from './records.js'
import { unsoldReasons } from './unsold.js'

/** Nothing of them can be bought; the first reason. */
export const unsoldView = z.array(
  z.object({
    groupId: z.uuid(),
    reason: z.enum(namesOf(unsoldReasons)),
    message: z.string(),
  }),
)
