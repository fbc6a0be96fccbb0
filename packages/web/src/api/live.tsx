import { useQueryClient } from '@tanstack/react-query'
import { createTRPCClient } from '@trpc/client'
import { createWSClient, wsLink } from '@trpc/client/links/wsLink/wsLink'
import type { AppRouter } from '@vps/api/app-router'
import type { ShopKind } from '@vps/shared/notifications'
import type { LiveMessage } from '@vps/shared/notifications.contract'
import { useEffect, useState } from 'react'
import { statusOf } from './errors'
import { lineAgainMs } from './line-again-ms'
import { paceOwnersReads } from './owners-reads'
import { askAfterActs, askAnew } from './paced-reads'
import { trpc } from './trpc'

/**
 * One per tab. A notification never carries what changed; `hello` comes with every (re)connect, so a lost one costs
 * nothing.
 */
export function Live({ token }: { token: string }) {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const shop = useShop()

  useEffect(() => {
    const own = paceOwnersReads(queryClient)
    const acts = askAfterActs(queryClient)
    const hear = (message: LiveMessage) => {
      if (message.what === 'hello') askAnew(queryClient)
      else if (message.what === 'shop') shop.heard(message.kind)
      else own.heard(message.what)
    }
    // A session that ended elsewhere ends here too, once it is asked for.
    const stop = listen(token, hear, () => void utils.accounts.me.invalidate())
    return () => {
      stop()
      acts()
      own.close()
    }
  }, [token, utils, queryClient, shop])

  return null
}

function listen(token: string, hear: (message: LiveMessage) => void, refused: () => void): () => void {
  const socket = createWSClient({
    url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/trpc`,
    connectionParams: { token },
    lazy: { enabled: true, closeMs: 1_000 },
    retryDelayMs: lineAgainMs,
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5_000 },
  })
  const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] })
  let later: ReturnType<typeof setTimeout> | undefined
  const begin = () => client.live.subscribe(undefined, { onData: hear, onError: beginLater })
  // A lost line the library mends, a refusal it does not.
  function beginLater(error: unknown) {
    if (statusOf(error) === 401) refused()
    else later = setTimeout(() => (heard = begin()), againMs)
  }
  let heard = begin()
  return () => {
    clearTimeout(later)
    heard.unsubscribe()
  }
}
const againMs = 5_000

function useShop() {
  const queryClient = useQueryClient()
  const [shop] = useState(() => {
    let reads: Promise<{ heard: (kind: ShopKind) => void; close: () => void }> | null = null
    return {
      heard(kind: ShopKind) {
        reads ??= import('./operators-reads').then(({ paceOperatorsReads }) => paceOperatorsReads(queryClient))
        void reads.then(({ heard }) => heard(kind)).catch(() => (reads = null))
      },
      close() {
        void reads?.then((paced) => paced.close())
        reads = null
      },
    }
  })

  // Its timer and listener must not outlive the session.
  useEffect(() => () => shop.close(), [shop])

  return shop
}
