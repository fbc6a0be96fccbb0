import * as z from 'zod'

/** Of a shared address, one machine's (decision 0116). */
export const portBlock = z.object({ outside: z.ipv4(), firstPort: z.int(), ports: z.int().min(1) })
