import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askAfterActs, askAnew, paceReads } from './paced-reads'

class Page extends EventTarget {
  hidden = false
  turn(hidden: boolean) {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

let page: Page
let client: QueryClient
let close: (() => void)[]
beforeEach(() => {
  vi.useFakeTimers()
  page = new Page()
  client = new QueryClient()
  close = []
})
afterEach(() => {
  for (const end of close) end()
  client.clear()
  vi.useRealTimers()
})

function shown(name: string, takesMs = 0, which = '') {
  const read = { asked: 0, answered: 0 }
  const observer = new QueryObserver(client, {
    queryKey: [name, which],
    staleTime: Infinity,
    queryFn: async () => {
      read.asked++
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs))
      return ++read.answered
    },
  })
  close.push(observer.subscribe(() => {}))
  return read
}

function pace() {
  const paced = paceReads(
    client,
    [
      { queryKey: ['orders'], everyMs: 1000, kinds: ['order'] },
      { queryKey: ['jobs'], everyMs: 1000, kinds: ['job', 'order'] },
    ],
    page,
  )
  close.push(() => paced.close())
  return paced
}

test('a change asks the reads that it touches at once, and no other', async () => {
  const [orders, jobs] = [shown('orders'), shown('jobs')]
  await vi.advanceTimersByTimeAsync(0)
  pace().heard('job')
  await vi.advanceTimersByTimeAsync(10)
  expect([orders.asked, jobs.asked]).toEqual([1, 2])
})

test('a thousand changes in ten seconds ask a read about once a second, and once more after the last', async () => {
  const orders = shown('orders')
  const paced = pace()
  await vi.advanceTimersByTimeAsync(0)
  for (let n = 0; n < 1000; n++) {
    paced.heard('order')
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(orders.asked).toBeGreaterThanOrEqual(10)
  expect(orders.asked).toBeLessThanOrEqual(12)
  const during = orders.asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect(orders.asked - during).toBeLessThanOrEqual(1)
})

test('an answer that takes longer than the pause is waited for, and asked again where something changed meanwhile', async () => {
  const orders = shown('orders', 3000)
  const paced = pace()
  await vi.advanceTimersByTimeAsync(100)
  for (let n = 0; n < 20; n++) {
    paced.heard('order')
    await vi.advanceTimersByTimeAsync(100)
  }
  expect([orders.asked, orders.answered]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(10_000)
  expect([orders.asked, orders.answered]).toEqual([2, 2])
})

test('a page that nobody sees asks nothing, and makes up for it when it is seen', async () => {
  const orders = shown('orders')
  const paced = pace()
  await vi.advanceTimersByTimeAsync(0)
  page.turn(true)
  for (let n = 0; n < 5; n++) paced.heard('order')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(orders.asked).toBe(1)
  page.turn(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(orders.asked).toBe(2)
})

test('what waits for its answer keeps no other read of the noun from being asked again', async () => {
  const [slow, quick] = [shown('orders', 60_000, 'slow'), shown('orders', 0, 'quick')]
  await vi.advanceTimersByTimeAsync(0)
  pace().heard('order')
  await vi.advanceTimersByTimeAsync(0)
  expect([slow.asked, quick.asked]).toEqual([1, 2])
})

test('over a new line what was asked over the old one is asked anew, a first answer once it is there', async () => {
  const [known, first] = [shown('orders', 100), shown('jobs', 60_000)]
  await vi.advanceTimersByTimeAsync(200)
  pace().heard('order')
  await vi.advanceTimersByTimeAsync(0)
  expect([known.asked, first.asked]).toEqual([2, 1])
  askAnew(client)
  askAnew(client)
  await vi.advanceTimersByTimeAsync(0)
  expect([known.asked, first.asked]).toEqual([4, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect([known.asked, first.asked]).toEqual([4, 2])
})

test.each(['is done', 'is refused'])(
  'what was first asked before an act that %s ends is asked again after its answer, once; what was answered is not',
  async (end) => {
    const [orders, jobs] = [shown('orders', 3000), shown('jobs')]
    await vi.advanceTimersByTimeAsync(100)
    close.push(askAfterActs(client))
    for (let n = 0; n < 2; n++) {
      const act = client.getMutationCache().build(client, {
        mutationFn: async () => {
          await new Promise((resolve) => setTimeout(resolve, 100))
          if (end === 'is refused') throw new Error('refused')
        },
      })
      void act.execute(undefined).catch(() => undefined)
      await vi.advanceTimersByTimeAsync(50)
      expect(orders.asked).toBe(1)
      await vi.advanceTimersByTimeAsync(100)
    }
    await vi.advanceTimersByTimeAsync(10_000)
    expect([orders.asked, orders.answered, jobs.asked]).toEqual([2, 2, 1])
  },
)
