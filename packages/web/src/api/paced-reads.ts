import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** A read, what changes touch it, and how often at most it is asked again however much changes. */
export interface PacedRead<Kind extends string> {
  queryKey: QueryKey
  everyMs: number
  kinds: readonly Kind[]
}

/** While an answer is under way: how soon it is looked for again. */
const lookAgainMs = 250

/**
 * Asks reads again when something that touches them changed: at once where all was quiet, else when their pause is
 * over. While nobody sees the page nothing is asked; it is made up for when it is seen again.
 */
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
      // That answer may have been read before the change: asked again once it is here, never instead of it, so that a
      // slow read in a busy shop still ends.
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
    /** Something of this kind changed. */
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
