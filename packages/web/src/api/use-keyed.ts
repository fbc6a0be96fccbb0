import { useRef, useState } from 'react'
import { isAnswer } from './errors'
import { idempotencyKey } from './random'
import { untilAnswered } from './until-answered'

/**
 * For acts that move money or a machine: the key stays until an answer came, so it is never done twice; another input
 * is another act. `given` is the key of an act agreed to before.
 */
export function useKeyed<Input extends object, Output>(
  act: (input: Input & { idempotencyKey: string }) => Promise<Output>,
  patienceMs = 30_000,
): [run: (input: Input, given?: string) => Promise<Output>, busy: boolean] {
  const last = useRef<{ input: string; key: string } | null>(null)
  const [busy, setBusy] = useState(false)

  async function run(input: Input, given?: string): Promise<Output> {
    const sent = JSON.stringify(input)
    if (last.current?.input !== sent) last.current = { input: sent, key: given ?? idempotencyKey() }
    const { key } = last.current
    setBusy(true)
    try {
      const output = await untilAnswered(() => act({ ...input, idempotencyKey: key }), patienceMs)
      last.current = null
      return output
    } catch (error) {
      // A refusal is an answer; silence is none.
      if (isAnswer(error)) last.current = null
      throw error
    } finally {
      setBusy(false)
    }
  }

  return [run, busy]
}
