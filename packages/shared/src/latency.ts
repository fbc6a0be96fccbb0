/** Not long polls and sockets, which wait on purpose. */
export const timedRoutes = ['web', 'rest', 'agent'] as const
export type TimedDoor = (typeof timedRoutes)[number]

/**
 * Upper ends in milliseconds; the last holds longer ones, too. Counts add up over processes and minutes, percentiles
 * would not.
 */
export const latencyEdgesMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] as const

export type LatencyBucket = { upToMs: number; requests: number }

/** One bucket per end, in order, of all given. */
export function mergeBuckets(buckets: readonly LatencyBucket[]): LatencyBucket[] {
  const sums = new Map<number, number>()
  for (const { upToMs, requests } of buckets) sums.set(upToMs, (sums.get(upToMs) ?? 0) + requests)
  return [...sums].map(([upToMs, requests]) => ({ upToMs, requests })).toSorted((a, b) => a.upToMs - b.upToMs)
}

/** What this share of requests did not exceed, at most one bucket wrong. Null: no requests. */
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
