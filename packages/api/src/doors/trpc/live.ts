import type { LiveMessage } from '@vps/shared/hints'
import { liveMessage } from '@vps/shared/hints'
import * as z from 'zod'
import { sessionLives } from '../../accounts/sessions.js'
import { fail } from '../../errors.js'
import { signedIn } from './init.js'

const recheckMs = 60_000

/**
 * Hints for one tab: `hello` first and after every possible loss, then what changed for this user. The same hint waiting
 * twice goes once, so a slow reader costs little. Ends with UNAUTHENTICATED when its session was revoked.
 */
export const liveRouter = signedIn.input(z.void()).subscription(async function* ({
  ctx,
  signal,
}): AsyncGenerator<LiveMessage> {
  const waiting = new Map<string, LiveMessage>([['hello', { what: 'hello' }]])
  let wake = () => {}
  const add = (message: LiveMessage) => {
    waiting.set('id' in message ? `${message.what}/${message.id}` : message.what, message)
    wake()
  }
  const stop = ctx.deps.hints.listen((hint) => {
    if (hint === null) add({ what: 'hello' })
    else if ('user' in hint && hint.user === ctx.user.id) add({ what: hint.what, id: hint.id })
  })
  const aborted = () => wake()
  signal?.addEventListener('abort', aborted)
  let checkedAt = ctx.now().getTime()
  try {
    while (!signal?.aborted) {
      for (const [key, message] of waiting) {
        waiting.delete(key)
        yield liveMessage.parse(message)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, recheckMs)
        wake = () => (clearTimeout(timer), resolve())
        if (waiting.size > 0 || signal?.aborted) wake()
      })
      if (ctx.now().getTime() - checkedAt >= recheckMs) {
        if (!(await sessionLives(ctx.db, ctx.user.sessionId))) fail('UNAUTHENTICATED')
        checkedAt = ctx.now().getTime()
      }
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', aborted)
  }
})
