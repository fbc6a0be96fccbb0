import * as text from '@vps/shared/text'
import * as z from 'zod'
import type { SignedInContext } from '../trpc/context.js'
import type { Once } from '../trpc/keyed.js'
import type { SealedSecret } from '../vault.js'
import { openConsole } from './access.js'
import { actOnServer, type OwnersAct } from './act.js'

export const serverRef = z.object({ serverId: z.uuid({ error: text.serverIdMissing }) })
export const started = z.object({ jobId: z.uuid() })

/** For whoever may open the console: NOT_FOUND, CONSOLE_DENIED. */
export function open(ctx: SignedInContext, serverId: string) {
  return openConsole(ctx.db, ctx.user, serverId, ctx.deps.config.consoleAccess)
}

type Asked = { serverId: string; idempotencyKey?: string | null | undefined }

/** The same, and one act per key: what `actOnServer` refuses. */
export async function askOnce(
  ctx: SignedInContext & { once: Once },
  input: Asked,
  act: OwnersAct,
  secret: SealedSecret | null = null,
): Promise<{ jobId: string }> {
  const { id, orderId } = await open(ctx, input.serverId)
  const asked = { serverId: id, orderId, act, secret }
  return { jobId: await ctx.once(input, (tx, now) => actOnServer(tx, ctx.user, asked, now)) }
}
