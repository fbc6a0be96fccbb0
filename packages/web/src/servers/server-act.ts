/** Waiting for the answer to an act on a machine, and the sentence when none comes or it is a refusal. */
import * as text from '@vps/shared/text'
import { isUnreadable, messageOf, Unanswered } from '../api/errors'

/** The specification lets an action call wait no longer. */
export const actPatienceMs = 15_000

/** The sentence of a failed act. */
export function actMessage(error: unknown): string {
  if (error instanceof Unanswered && !error.lost) return text.timeout
  return isUnreadable(error) ? text.badReply : `${text.operationFailed}: ${messageOf(error)}`
}
