import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

export interface PacedRead<Kind extends string> {
  queryKey: QueryKey
  everyMs: number
  kinds: readonly Kind[]
}

/** Nobody sees it: what it would show is not asked for. */
type Seen = EventTarget & { hidden: boolean }

/** Reads at once after quiet, else after the pause; a hidden page catches up later. */
export function paceReads<Kind extends string>(
  queryClient: QueryClient,
  reads: readonly PacedRead<Kind>[],
  page: Seen = document,
) {
  const states = reads.map((read) => ({ ...read, touched: false, askedAt: -Infinity }))
  let timer: ReturnType<typeof setTimeout> | undefined

  const ask = () => {
    clearTimeout(timer)
    if (page.hidden) return
    const now = performance.now()
    let next = Infinity
    for (const state of states.filter(({ touched }) => touched)) {
      const dueIn = state.askedAt + state.everyMs - now
      if (dueIn > 0) next = Math.min(next, dueIn)
      else {
        Object.assign(state, { touched: false, askedAt: now })
        askAfter(queryClient, state.queryKey)
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

/**
 * An answer on its way may be older than the change: it is asked for again after it, never instead, so that a slow read
 * still ends.
 */
function askAfter(queryClient: QueryClient, queryKey: QueryKey): void {
  againAfter(queryClient, queryClient.getQueryCache().findAll({ queryKey, predicate: isUnderWay }))
  void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

/** The line is new: what is asked over an old one may never be answered, but a first answer, which the library keeps. */
export function askAnew(queryClient: QueryClient): void {
  askFirstAgain(queryClient)
  void queryClient.invalidateQueries()
}

/** An act has ended: what it has read again is not, as long as its first answer is on its way, which may be older. */
export const askAfterActs = (queryClient: QueryClient): (() => void) =>
  queryClient.getMutationCache().subscribe(({ type, mutation }) => {
    if (type === 'updated' && mutation.state.status !== 'pending') askFirstAgain(queryClient)
  })

function askFirstAgain(queryClient: QueryClient): void {
  const first = (query: Query) => isUnderWay(query) && query.state.data === undefined
  againAfter(queryClient, queryClient.getQueryCache().findAll({ predicate: first }))
}

const isUnderWay = (query: Query) => query.state.fetchStatus === 'fetching'

function againAfter(queryClient: QueryClient, queries: Query[]): void {
  for (const query of queries.filter((one) => !later.has(one))) {
    const ask = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    later.add(query)
    void query
      .fetch()
      .finally(() => later.delete(query))
      .then(ask, () => undefined)
  }
}
const later = new WeakSet<Query>()
