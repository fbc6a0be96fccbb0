import type { Confirmation } from '@vps/shared/payments'
import * as text from '@vps/shared/text'
import { notAcceptedReason, unclear } from '../gateway.js'
import { Inside, Late } from '../outward.js'

/**
 * The gateway did not tell: `unclear`: not in a way that proves anything, `silent`: not in time, `rejected`: it takes
 * neither merchant nor key, `inside`: its address is not allowed.
 */
export const unheard = [
  'unreachable',
  'silent',
  'unclear',
  'rejected',
  'inside',
] as const satisfies readonly Confirmation[]
export type Unheard = (typeof unheard)[number]

const byReason: Record<string, Unheard> = {
  ...Object.fromEntries(Object.values(unclear).map((reason) => [reason, 'unclear' as const])),
  [new Late().name]: 'silent',
  [notAcceptedReason]: 'rejected',
  [new Inside().name]: 'inside',
}

/** What an operator can mend is told apart. */
export const unheardOf = (reason: string): Unheard => byReason[reason] ?? 'unreachable'

export const isUnheard = (confirmation: Confirmation): confirmation is Unheard =>
  unheard.some((one) => one === confirmation)

export type Away = Exclude<Unheard, 'unclear'>
export const isAway = (confirmation: Confirmation): confirmation is Away =>
  confirmation !== 'unclear' && isUnheard(confirmation)

/** To an operator. */
export const awayWords: Record<Away, string> = {
  unreachable: '连接不上，或答复不可用',
  silent: text.lateAnswer,
  rejected: '不认可商户号或密钥',
  inside: text.insideAddress,
}
