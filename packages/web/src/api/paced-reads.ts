import type { QueryClient, QueryKey } from '@tanstack/react-query'

export interface PacedRead<Kind extends string> {
  queryKey: QueryKey
  everyMs: number
  kinds: readonly Kind[]
}

const lookAgainMs = 250

/** Reads at once after quiet, else after the pause; a hidden page catches up later. */
export function paceReads<Kind extends string>(
  queryClient: QueryClient,
  reads: readonly PacedRead<Kind>[],
  page: EventTarget & { hidden: boolean } = document,
) {
  const states = reads.map((read) => ({ ...read, touched: false, askedAt: -Infinity }))
  let timer: ReturnType<typeof setTimeout> | undefined

  const ask = () => {
    clearTimeout(timer)
    if (page.hidden) return
    const now = performance.now()
    let next = Infinity
    for (const state of states.filter(({ touched }) => touched)) {
      const { queryKey } = state
      const dueIn = state.askedAt + state.everyMs - now
      if (dueIn > 0) next = Math.min(next, dueIn)
      // That answer may be older than the change: asked again after it, never instead, so that a slow read still ends.
      else if (queryClient.isFetching({ queryKey }) > 0) next = Math.min(next, lookAgainMs)
      else {
        Object.assign(state, { touched: false, askedAt: now })
        void queryClient.invalidateQueries({ queryKey })
      }
    }
    if (next < Infinity) timer = setTimeout(ask, next)
  }
  page.addEventListener('visibilitychange', ask)

  return {
    heard(kind: Kind): void {
      for (const state of states) if (state.kinds.includes(kind)) state.touched = true
      ask()
    },
    close(): void {
      clearTimeout(timer)
      page.removeEventListener('visibilitychange', ask)
    },
  }
}
