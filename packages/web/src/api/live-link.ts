import type { TRPCLink } from '@trpc/react-query'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import type { AppRouter } from '@vps/api/app-router'

const againMs = 5_000

/** Its code comes with the first subscription, since a visitor has none. */
export function liveLink(token: string | null): TRPCLink<AppRouter> {
  return (runtime) => {
    let link: ReturnType<typeof load> | null = null
    const load = async () => {
      const { createWSClient, wsLink } = await import('@trpc/client/links/wsLink/wsLink')
      const client = createWSClient({
        url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/trpc`,
        connectionParams: { token: token ?? '' },
        lazy: { enabled: true, closeMs: 1_000 },
        keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5_000 },
      })
      return wsLink<AppRouter>({ client })(runtime)
    }
    return ({ op, next }) =>
      observable((observer) => {
        let subscription: Unsubscribable | undefined
        let timer: ReturnType<typeof setTimeout> | undefined
        let ended = false
        const begin = () => {
          link ??= load()
          link.then(
            (open) => {
              if (!ended) subscription = open({ op, next }).subscribe(observer)
            },
            () => {
              link = null
              if (!ended) timer = setTimeout(begin, againMs)
            },
          )
        }
        begin()
        return () => {
          ended = true
          clearTimeout(timer)
          subscription?.unsubscribe()
        }
      })
  }
}
