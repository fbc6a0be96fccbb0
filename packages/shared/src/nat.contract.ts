import * as z from 'zod'

/** The ports of a shared address that lead to one machine (decision 0116). */
export const portBlock = z.object({ outside: z.ipv4(), firstPort: z.int(), ports: z.int().min(1) })
