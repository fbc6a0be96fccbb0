import { useRef } from 'react'
import { codeOf } from './errors'
import { idempotencyKey } from './random'

/**
 * An act that moves money or a machine, with the one rule for its key: the same act goes out under the same key until an answer
 * came, so that one whose answer was lost is never done twice. Another input is another act.
 */
export function useKeyed<Input extends object, Output>(
  act: (input: Input & { idempotencyKey: string }) => Promise<Output>,
): (input: Input) => Promise<Output> {
  const last = useRef<{ input: string; key: string } | null>(null)
  return async (input) => {
    const sent = JSON.stringify(input)
    if (last.current?.input !== sent) last.current = { input: sent, key: idempotencyKey() }
    try {
      const output = await act({ ...input, idempotencyKey: last.current.key })
      last.current = null
      return output
    } catch (error) {
      // A refusal is an answer; after silence nobody knows.
      if (codeOf(error)) last.current = null
      throw error
    }
  }
}
