import * as z from 'zod'
import { notificationKinds, shopKinds } from './notifications.js'

export const liveMessage = z.discriminatedUnion('what', [
  z.object({ what: z.literal('hello') }),
  z.object({ what: z.enum(notificationKinds), id: z.string() }),
  z.object({ what: z.literal('shop'), kind: z.enum(shopKinds) }),
])
export type LiveMessage = z.infer<typeof liveMessage>
