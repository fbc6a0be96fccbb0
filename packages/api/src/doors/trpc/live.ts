import type { LiveMessage, ShopKind } from '@vps/shared/hints'
import { liveMessage, shopKindOf } from '@vps/shared/hints'
import * as z from 'zod'
import { sessionRole } from '../../accounts/sessions.js'
import { fail } from '../../errors.js'
import type { Hint } from '../../hints/hint.js'
import { signedIn } from './init.js'

const recheckMs = 60_000
/** The shop's changes are told to an operator at most this often, however busy it is. */
const shopEveryMs = 1_000

/**
 * Hints for one tab: `hello` first and after every possible loss, then what changed for this user, and for an administrator
 * what kinds of things changed anywhere. The same hint waiting twice goes once, so a slow reader costs little. Ends with
 * UNAUTHENTICATED when its session was revoked; who is no administrator any more stops hearing of the shop.
 */
export const liveRouter = signedIn.input(z.void()).subscription(async function* ({
  ctx,
  signal,
}): AsyncGenerator<LiveMessage> {
  const waiting = new Map<string, LiveMessage>([['hello', { what: 'hello' }]])
  const shop = new Set<ShopKind>()
  let isOperator = ctx.user.role === 'ADMIN'
  let wake = () => {}
  const add = (message: LiveMessage) => {
    waiting.set('id' in message ? `${message.what}/${message.id}` : message.what, message)
    wake()
  }
  const stop = ctx.deps.hints.listen((hint) => {
    if (hint === null) return add({ what: 'hello' })
    if ('user' in hint && hint.user === ctx.user.id) add({ what: hint.what, id: hint.id })
    const kind = isOperator ? kindOf(hint) : null
    if (kind === null || shop.has(kind)) return
    shop.add(kind)
    wake()
  })
  const aborted = () => wake()
  signal?.addEventListener('abort', aborted)
  let checkedAt = ctx.now().getTime()
  let shopToldAt = -Infinity
  const shopDueIn = () => Math.max(0, shopToldAt + shopEveryMs - performance.now())
  try {
    while (!signal?.aborted) {
      for (const [key, message] of waiting) {
        waiting.delete(key)
        yield liveMessage.parse(message)
      }
      if (shop.size > 0 && shopDueIn() === 0) {
        shopToldAt = performance.now()
        for (const kind of shop) {
          shop.delete(kind)
          yield { what: 'shop', kind }
        }
      }
      await new Promise<void>((resolve) => {
        let timer: NodeJS.Timeout | undefined
        wake = () => {
          clearTimeout(timer)
          if (waiting.size > 0 || signal?.aborted) resolve()
          else timer = setTimeout(resolve, shop.size > 0 ? shopDueIn() : recheckMs)
        }
        wake()
      })
      if (ctx.now().getTime() - checkedAt >= recheckMs) {
        const role = await sessionRole(ctx.db, ctx.user.sessionId)
        if (role === null) fail('UNAUTHENTICATED')
        isOperator = role === 'ADMIN'
        if (!isOperator) shop.clear()
        checkedAt = ctx.now().getTime()
      }
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', aborted)
  }
})

/** What operators look at that a hint may have changed. */
function kindOf(hint: Hint): ShopKind | null {
  if ('shop' in hint) return hint.shop
  return 'user' in hint ? shopKindOf(hint.what) : null
}
