import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latencyEdgesMs, mergeBuckets, percentileMs, type LatencyBucket } from './latency.js'

const bucket = fc.record({
  upToMs: fc.constantFrom(...latencyEdgesMs),
  requests: fc.integer({ min: 1, max: 1000 }),
})
const total = (buckets: LatencyBucket[]) => buckets.reduce((sum, { requests }) => sum + requests, 0)

describe('buckets of durations', () => {
  test('of two processes merge to the same whatever the order, and lose no request', () => {
    fc.assert(
      fc.property(fc.array(bucket), fc.array(bucket), (mine, yours) => {
        const merged = mergeBuckets([...mine, ...yours])
        expect(merged).toEqual(mergeBuckets([...mergeBuckets(yours), ...mergeBuckets(mine)]))
        expect(total(merged)).toBe(total(mine) + total(yours))
        expect(new Set(merged.map(({ upToMs }) => upToMs)).size).toBe(merged.length)
      }),
    )
  })

  test('give a percentile that never falls as its share grows, and never leaves the buckets that hold requests', () => {
    fc.assert(
      fc.property(fc.array(bucket, { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (buckets, share) => {
        const [low, high] = [percentileMs(buckets, share * 0.9)!, percentileMs(buckets, share)!]
        expect(low).toBeLessThanOrEqual(high)
        expect(high).toBeLessThanOrEqual(Math.max(...buckets.map(({ upToMs }) => upToMs)))
      }),
    )
  })

  test('are read evenly within a bucket', () => {
    const buckets = [
      { upToMs: 10, requests: 50 },
      { upToMs: 20, requests: 40 },
      { upToMs: 500, requests: 10 },
    ]
    expect(percentileMs(buckets, 0.5)).toBe(10)
    expect(percentileMs(buckets, 0.7)).toBe(15)
    expect(percentileMs(buckets, 0.95)).toBe(350)
    expect(percentileMs([], 0.5)).toBeNull()
  })
})
