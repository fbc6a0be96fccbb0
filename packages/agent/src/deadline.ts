import { AsyncLocalStorage } from 'node:async_hooks'
import { HypervisorError } from './hypervisor/hypervisor.js'
import { pause } from './wait.js'

type Deadline = { passed: Error | null }

const current = new AsyncLocalStorage<Deadline>()

/**
 * Throws once `limitMs` have passed and what was begun by then is over, for which it waits `graceMs` more. What the act
 * would still begin is refused (`refuseLate`): nothing of it happens beside the next try.
 */
export async function withDeadline(
  act: () => Promise<void>,
  { limitMs, graceMs }: { limitMs: number; graceMs: number },
  name: string,
): Promise<void> {
  if (limitMs === Number.POSITIVE_INFINITY) return act()
  const deadline: Deadline = { passed: null }
  const over = new AbortController()
  const acting = current.run(deadline, act).finally(() => over.abort())
  acting.catch(() => {})
  await pause(limitMs, over.signal)
  if (over.signal.aborted) return acting
  deadline.passed = new HypervisorError(`step ${name} did not end within ${limitMs} ms`)
  await pause(graceMs, over.signal)
  throw deadline.passed
}

/** By what begins a program or a turn: throws where the deadline of the act that asks has passed. */
export function refuseLate(): void {
  const passed = current.getStore()?.passed
  if (passed) throw passed
}

/** For what goes on after the act that began it. */
export const beyondDeadline = <Result>(act: () => Result): Result => current.exit(act)
