import { expect, test } from 'vitest'
import { until } from './wait.js'

test('what fails once nobody waits for it any more ends nothing: an unheard failure ends the agent', async () => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', hear)
  const look = async (): Promise<null> => {
    await new Promise(setImmediate)
    throw new Error('libvirt is away')
  }
  const stopped = AbortSignal.abort(new Error('stopped'))
  const waiting = until(look, { everyMs: 1, limitMs: 1000, signal: stopped, late: () => new Error('late') })
  await expect(waiting).rejects.toThrow('stopped')
  for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate)
  process.off('unhandledRejection', hear)
  expect(unheard).toEqual([])
})
