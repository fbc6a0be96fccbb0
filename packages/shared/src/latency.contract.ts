import * as z from 'zod'

const figures = { requests: z.int(), p50Ms: z.number().nullable(), p95Ms: z.number().nullable() }

/** By ended steps; `current`: the running minute and the one before. Percentiles null: no requests. */
export const latencyView = z.object({
  range: z.enum(['hour', 'day']),
  stepSeconds: z.int(),
  points: z.array(z.object({ at: z.string(), ...figures })),
  current: z.object(figures),
})
export type LatencyView = z.infer<typeof latencyView>
