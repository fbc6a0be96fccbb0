import { statusOf } from '../../api/errors'

export type Outcome = 'success' | 'failed' | 'waiting' | 'unknown' | 'visitor'

/** What the server knows, never what the address claims. */
export function outcomeOf(claimed: 'success' | 'failed', status: string | undefined, asking: boolean): Outcome {
  if (asking) return 'waiting'
  if (status === 'SUCCESS') return 'success'
  if (status === 'PENDING') return claimed === 'success' ? 'waiting' : 'failed'
  return status === undefined ? 'unknown' : 'failed'
}

/** A success is never taken from the address; a failure may be told to anybody. */
export function unasked(claimed: 'success' | 'failed', token: string | null): Outcome {
  if (claimed === 'failed') return 'failed'
  return token === null ? 'visitor' : 'unknown'
}

/** No answer yet, unlike "no such payment". */
export const isTransient = (error: unknown) => error !== null && (statusOf(error) ?? 500) >= 500
