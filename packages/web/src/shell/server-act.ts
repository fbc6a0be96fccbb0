/** Waiting for the answer to an act on a machine, and the sentence when none comes or it is a refusal. */
import { text } from '@vps/shared/text'
import { isUnreadable, messageOf } from '../api/errors'

/** The specification lets an action call wait no longer. */
const actTimeoutMs = 15_000

class Timeout extends Error {}

/** The answer, unless it takes longer than an act may. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Timeout()), actTimeoutMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The sentence of a failed act. */
export function actMessage(error: unknown): string {
  if (error instanceof Timeout) return text.timeout
  return isUnreadable(error) ? text.badReply : `${text.operationFailed}: ${messageOf(error)}`
}
