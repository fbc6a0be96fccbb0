import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notificationKinds } from '@vps/shared/notifications'
import { ownersReads, paceOwnersReads } from './owners-reads'

const web = path.resolve(import.meta.dirname, '..')
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^testing|^features\/admin/.test(name))
  .map((name) => readFileSync(path.join(web, name), 'utf8'))

/** Everybody's, or staff's: what waits for them, and whose order they look at. */
const notOnesOwn = ['announcements', 'operations', 'shop', 'status', 'iso', 'users']

test('every read of a customer’s own is asked again when something that touches it changed', () => {
  const shown = sources.flatMap((source) =>
    [...source.matchAll(/\btrpc\.(\w+)\.\w+\.useQuery\(/g)].flatMap(([, noun]) => noun ?? []),
  )
  expect(new Set(shown).size).toBeGreaterThan(8)
  const told = Object.keys(ownersReads).map((read) => read.split('.')[0])
  expect([...new Set(shown)].filter((noun) => !told.includes(noun) && !notOnesOwn.includes(noun))).toEqual([])
  const heard = new Set(Object.values(ownersReads).flat())
  expect(notificationKinds.filter((kind) => !heard.has(kind))).toEqual([])
})

function open(client: QueryClient) {
  const own = paceOwnersReads(client)
  onTestFinished(() => own.close())
  return own
}

test.each([
  ['order', ['backups.list', 'orders.get']],
  ['server', ['backups.list', 'console.details', 'console.monitoring', 'orders.get']],
  ['account', ['accounts.devices', 'accounts.me', 'accounts.sshKeys']],
  ['monitoring', ['console.monitoring']],
  ['wallet', ['wallet.page']],
] as const)('%s asks again for what it touches, and for nothing else', (kind, expected) => {
  const client = new QueryClient()
  const reads = [
    'accounts.devices',
    'accounts.me',
    'accounts.sshKeys',
    'backups.list',
    'console.details',
    'console.recentCpu',
  ]
  for (const read of [...reads, 'console.monitoring', 'orders.get', 'shop.groups', 'wallet.page'])
    client.setQueryData([read.split('.'), { input: { id: 'a' }, type: 'query' }], {})
  open(client).heard(kind)
  const old = client.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated })
  expect(old.map(({ queryKey: [name] }) => (Array.isArray(name) ? name.join('.') : name)).toSorted()).toEqual(expected)
})

test('what changes while it is read is asked for again once that answer is there, and once however often', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const client = new QueryClient()
  const answers: ((status: string) => void)[] = []
  const order = new QueryObserver(client, {
    queryKey: [['orders', 'get'], { input: { id: 'a' }, type: 'query' }],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    staleTime: Infinity,
  })
  onTestFinished(order.subscribe(() => undefined))
  const own = open(client)
  const answered = (status: string) => {
    answers.at(-1)?.(status)
    return vi.advanceTimersByTimeAsync(0)
  }
  own.heard('order')
  own.heard('server')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(answers).toHaveLength(1)
  await answered('PAID')
  expect(answers).toHaveLength(2)
  own.heard('order')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(answers).toHaveLength(2)
  await answered('PROCESSING')
  expect(order.getCurrentResult().data).toBe('PROCESSING')
  expect(answers).toHaveLength(3)
  await answered('ACTIVE')
  expect(order.getCurrentResult()).toMatchObject({ data: 'ACTIVE', fetchStatus: 'idle' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answers).toHaveLength(3)
})

test('three hundred servers that are set up ask for the list about once a second, also where nobody looks', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const client = new QueryClient()
  let asked = 0
  const list = new QueryObserver(client, {
    queryKey: [['orders', 'list'], { type: 'query' }],
    queryFn: () => ++asked,
    staleTime: Infinity,
  })
  onTestFinished(list.subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(0)
  const own = open(client)
  for (let step = 0; step < 200; step++) {
    own.heard('job')
    own.heard('server')
    own.heard('order')
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(asked).toBeGreaterThanOrEqual(10)
  expect(asked).toBeLessThanOrEqual(12)
})
