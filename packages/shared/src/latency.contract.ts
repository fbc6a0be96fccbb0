import * as z from 'zod'

const figures = { requests: z.int(), p50Ms: z.number().nullable(), p95Ms: z.number().nullable() }

/**
 * How quickly the doors answered, by steps that are over; `current` is the running minute with the one before it.
 * Percentiles are null without requests.
 */
export const latencyView = z.object({
  range: z.enum(['hour', 'day']),
  stepSeconds: z.int(),
  points: z.array(z.object({ at: z.string(), ...figures })),
  current: z.object(figures),
})
export type LatencyView = z.infer<typeof latencyView>
