import * as z from 'zod'

/** Set only from this machine. */
export const faults = z.object({
  /** `lost` makes the order and hangs up; `relative` omits the host. */
  create: z.enum(['normal', 'html', 'half', 'lost', 'slow', 'refuse', 'relative']).default('normal'),
  query: z.enum(['normal', 'html', 'slow', 'absent', 'other-amount', 'unpaid']).default('normal'),
  /** `forty` tells forty times at once. */
  notify: z.enum(['normal', 'drop', 'forty']).default('normal'),
  reply: z.enum(['auto', 'payurl', 'qrcode']).default('auto'),
  slowMs: z.number().int().min(0).max(60_000).default(12_000),
})
export type Faults = z.infer<typeof faults>
