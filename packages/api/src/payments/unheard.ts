import type { Confirmation } from '@vps/shared/payments'
import { notAcceptedReason } from '../gateway.js'
import { Inside } from '../outward.js'

/** The gateway did not tell: `rejected`: it takes neither merchant nor key, `inside`: its address is not allowed. */
export const unheard = ['unreachable', 'rejected', 'inside'] as const satisfies readonly Confirmation[]
export type Unheard = (typeof unheard)[number]

/** What an operator can mend is told apart. */
export const unheardOf = (reason: string): Unheard =>
  reason === notAcceptedReason ? 'rejected' : reason === new Inside().name ? 'inside' : 'unreachable'
