import * as z from 'zod'
import { remoteKinds } from './remote.js'
import * as text from './text.js'

/** What to see. */
export const openRemoteInput = z.object({
  serverId: z.uuid({ error: text.serverIdMissing }),
  kind: z.enum(remoteKinds, { error: '请选择画面或串口' }),
})

/** For one socket, within 60 s. */
export const remoteTicket = z.object({ ticket: z.string() })

/** The agent brings this machine's bytes, showing the secret. */
export const remoteConsoleAsked = z.object({
  id: z.uuid(),
  serverId: z.uuid(),
  kind: z.enum(remoteKinds),
  secret: z.string(),
})
export type RemoteConsoleAsked = z.infer<typeof remoteConsoleAsked>
