import * as text from '@vps/shared/text'
import { isUnreadable, messageOf, Unanswered } from '../api/errors'

/** The specification's limit. */
export const actPatienceMs = 15_000

/** The sentence of a failed act. */
export function actMessage(error: unknown): string {
  if (error instanceof Unanswered && !error.lost) return text.timeout
  return isUnreadable(error) ? text.badReply : `${text.operationFailed}: ${messageOf(error)}`
}
