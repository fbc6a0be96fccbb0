import * as z from 'zod'

/**
 * "This thing of yours changed": never the data. A screen refetches; a lost hint costs nothing, because `hello` on every
 * (re)connect makes everything visible refetch.
 */
export const hintKinds = ['order', 'server', 'wallet', 'payment', 'job', 'monitoring'] as const
export type HintKind = (typeof hintKinds)[number]
export const liveMessage = z.discriminatedUnion('what', [
  z.object({ what: z.literal('hello') }),
  z.object({ what: z.enum(hintKinds), id: z.string() }),
])
export type LiveMessage = z.infer<typeof liveMessage>
