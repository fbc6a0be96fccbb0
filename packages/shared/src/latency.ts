/** What is timed: the browser, REST, the agents. Long polls and sockets wait on purpose. */
export const timedRoutes = ['web', 'rest', 'agent'] as const
export type TimedDoor = (typeof timedRoutes)[number]

/**
 * Upper ends of buckets in milliseconds; the last holds what took longer, too. Counts of processes and minutes add up,
 * percentiles would not.
 */
export const latencyEdgesMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] as const

export type LatencyBucket = { upToMs: number; requests: number }

/** One bucket per end, in order, with the requests of all given ones. */
export function mergeBuckets(buckets: readonly LatencyBucket[]): LatencyBucket[] {
  const sums = new Map<number, number>()
  for (const { upToMs, requests } of buckets) sums.set(upToMs, (sums.get(upToMs) ?? 0) + requests)
  return [...sums].map(([upToMs, requests]) => ({ upToMs, requests })).toSorted((a, b) => a.upToMs - b.upToMs)
}

/**
 * The duration that this share of the requests did not exceed, read off the buckets: within a bucket they are taken as
 * spread evenly, so the answer is at most one bucket wrong. Null without requests.
 */
export function percentileMs(buckets: readonly LatencyBucket[], share: number): number | null {
  const merged = mergeBuckets(buckets)
  const total = merged.reduce((sum, { requests }) => sum + requests, 0)
  let left = total * share
  for (const { upToMs, requests } of merged) {
    if (requests > 0 && left <= requests) {
      const from = latencyEdgesMs.findLast((edge) => edge < upToMs) ?? 0
      return Math.round((from + ((upToMs - from) * left) / requests) * 10) / 10
    }
    left -= requests
  }
  return null
}
