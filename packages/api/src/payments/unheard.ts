import type { Confirmation } from '@vps/shared/payments'
import * as text from '@vps/shared/text'
import { notAcceptedReason } from '../gateway.js'
import { Inside, Late } from '../outward.js'

/**
 * The gateway did not tell: `silent`: not in time, `rejected`: it takes neither merchant nor key, `inside`: its address is
 * not allowed.
 */
export const unheard = ['unreachable', 'silent', 'rejected', 'inside'] as const satisfies readonly Confirmation[]
export type Unheard = (typeof unheard)[number]

const byReason: Record<string, Unheard> = {
  [new Late().name]: 'silent',
  [notAcceptedReason]: 'rejected',
  [new Inside().name]: 'inside',
}

/** What an operator can mend is told apart. */
export const unheardOf = (reason: string): Unheard => byReason[reason] ?? 'unreachable'

export const isUnheard = (confirmation: Confirmation): confirmation is Unheard =>
  unheard.some((one) => one === confirmation)

/** To an operator. */
export const unheardWords: Record<Unheard, string> = {
  unreachable: '连接不上，或答复不可用',
  silent: text.lateAnswer,
  rejected: '不认可商户号或密钥',
  inside: text.insideAddress,
}
