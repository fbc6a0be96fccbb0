import { afterEach, expect, test, vi } from 'vitest'
import { cached } from './cached.js'

afterEach(() => void vi.restoreAllMocks())

/** Each maker is ended by hand; `performance.now()` stands still but for `pass`. */
function counting() {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const made: { resolve(value: number): void; reject(error: Error): void }[] = []
  const kept = cached(() => new Promise<number>((resolve, reject) => void made.push({ resolve, reject })), 1_000)
  return { kept, made, pass: (ms: number) => (now += ms) }
}

test('whoever comes while one is made waits for that one', async () => {
  const { kept, made } = counting()
  const both = [kept.read(), kept.read()]
  made[0]!.resolve(1)
  expect(await Promise.all(both)).toEqual([1, 1])
  expect(made).toHaveLength(1)
})

test('from half its time on the next is made while readers get what is there; beyond its time they wait', async () => {
  const { kept, made, pass } = counting()
  const first = kept.read()
  made[0]!.resolve(1)
  await first
  pass(499)
  expect(await kept.read()).toBe(1)
  expect(made).toHaveLength(1)
  pass(1)
  expect(await kept.read()).toBe(1)
  expect(await kept.read()).toBe(1)
  expect(made).toHaveLength(2)
  pass(500)
  const waiting = kept.read()
  made[1]!.resolve(2)
  expect(await waiting).toBe(2)
  expect(made).toHaveLength(2)
})

test('what was being made when it was dropped is kept for nobody', async () => {
  const { kept, made } = counting()
  const before = kept.read()
  kept.drop()
  const after = kept.read()
  made[0]!.resolve(1)
  made[1]!.resolve(2)
  expect([await before, await after, await kept.read()]).toEqual([1, 2, 2])
})

test('a failure goes to those who wait and is not kept; what is still young stays', async () => {
  const { kept, made, pass } = counting()
  const first = kept.read()
  made[0]!.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  const second = kept.read()
  made[1]!.resolve(2)
  await second
  pass(600)
  await kept.read()
  made[2]!.reject(new Error('away'))
  await vi.waitFor(async () => {
    expect(await kept.read()).toBe(2)
    expect(made).toHaveLength(4)
  })
})
