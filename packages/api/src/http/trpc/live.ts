import type { LiveMessage } from '@vps/shared/notifications.contract'
import type { ShopKind } from '@vps/shared/notifications'
import { liveMessage } from '@vps/shared/notifications.contract'
import { shopKindOf } from '@vps/shared/notifications'
import * as z from 'zod'
import type { Notification } from '../../notifications/notification.js'
import { overSocket } from '../../trpc/procedures.js'

const shopEveryMs = 1_000

/**
 * `hello` first and after every possible loss, then this user's changes and, for administrators, kinds of changes
 * anywhere. Waiting duplicates go once. Ends with its socket (`sockets.ts`).
 */
export const liveRouter = overSocket.input(z.void()).subscription(async function* ({
  ctx,
  signal,
}): AsyncGenerator<LiveMessage> {
  const waiting = new Map<string, LiveMessage>([['hello', { what: 'hello' }]])
  const shop = new Set<ShopKind>()
  const isOperator = ctx.user.role === 'ADMIN'
  let wake = () => {}
  const add = (message: LiveMessage) => {
    waiting.set('id' in message ? `${message.what}/${message.id}` : message.what, message)
    wake()
  }
  const stop = ctx.deps.notifications.listen((notification) => {
    if (notification === null) return add({ what: 'hello' })
    if ('user' in notification && notification.user === ctx.user.id)
      add({ what: notification.what, id: notification.id })
    const kind = isOperator ? kindOf(notification) : null
    if (kind === null || shop.has(kind)) return
    shop.add(kind)
    wake()
  })
  const aborted = () => wake()
  signal?.addEventListener('abort', aborted)
  let shopToldAt = -Infinity
  const shopDueIn = () => Math.max(0, shopToldAt + shopEveryMs - performance.now())
  try {
    while (!signal?.aborted && (await ctx.socket.isSomebodys())) {
      for (const [key, message] of waiting) {
        waiting.delete(key)
        // A later version may tell of more; a throw would end the subscription.
        const known = liveMessage.safeParse(message)
        if (known.success) yield known.data
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
          else if (shop.size > 0) timer = setTimeout(resolve, shopDueIn())
        }
        wake()
      })
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', aborted)
  }
})

function kindOf(notification: Notification): ShopKind | null {
  if ('shop' in notification) return notification.shop
  return 'user' in notification ? shopKindOf(notification.what) : null
}
