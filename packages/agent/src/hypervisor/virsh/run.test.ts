import { expect, test } from 'vitest'
import { linesOf, run } from './run.js'

// A program whose reader is gone must not pass for a libvirt that is gone.
test('a program that prints without end is broken off, and told as that', async () => {
  await expect(run('yes', [])).rejects.toMatchObject({ said: 'printed without end', timedOut: false })
})

test('a program that does not end is broken off, and told as that, with what it had said', async () => {
  await expect(run('sleep', ['60'], { timeoutMs: 50 })).rejects.toMatchObject({
    said: 'did not end in time',
    timedOut: true,
  })
  await expect(run('sh', ['-c', 'echo why >&2; exec sleep 60'], { timeoutMs: 5000 })).rejects.toMatchObject({
    said: 'did not end in time: why',
    timedOut: true,
  })
})

test('a program that is told to end ends at once, with the reason that it was told', async () => {
  const told = new AbortController()
  const reason = new Error('told to end')
  const running = run('sleep', ['60'], { signal: told.signal })
  told.abort(reason)
  await expect(running).rejects.toBe(reason)
})

test('lines are had as they come, without end, and of a program that failed it is told after the last', async () => {
  const had: string[] = []
  for await (const line of linesOf('yes', ['x'.repeat(1000)])) if (had.push(line.slice(0, 1)) === 20_000) break
  expect(had).toHaveLength(20_000)
  const failing = async () => {
    for await (const line of linesOf('sh', ['-c', 'echo one; echo two; echo why >&2; exit 3'])) had.push(line)
  }
  await expect(failing()).rejects.toMatchObject({ said: expect.stringContaining('why'), exitCode: 3 })
  expect(had.slice(-2)).toEqual(['one', 'two'])
})
