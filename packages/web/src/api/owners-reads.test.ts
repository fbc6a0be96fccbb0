import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownersReads, readAgain } from './owners-reads'

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
  const told = Object.values(ownersReads).flat()
  expect([...new Set(shown)].filter((noun) => !told.includes(noun) && !notOnesOwn.includes(noun))).toEqual([])
})

test.each([
  ['order', ['backups.list', 'orders.get']],
  ['account', ['accounts.devices', 'accounts.me', 'accounts.sshKeys']],
  ['monitoring', ['console.monitoring']],
  ['wallet', ['wallet.page']],
] as const)('%s asks again for what it touches, and for nothing else', (kind, expected) => {
  const client = new QueryClient()
  const reads = ['accounts.devices', 'accounts.me', 'accounts.sshKeys', 'backups.list', 'console.details']
  for (const read of [...reads, 'console.monitoring', 'orders.get', 'shop.groups', 'wallet.page'])
    client.setQueryData([read.split('.'), { input: { id: 'a' }, type: 'query' }], {})
  readAgain(client, kind)
  const old = client.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated })
  expect(old.map(({ queryKey: [name] }) => (Array.isArray(name) ? name.join('.') : name)).toSorted()).toEqual(expected)
})

test('what changes while it is first read is asked for again once that answer is there, and once however often', async () => {
  const client = new QueryClient()
  const answers: ((status: string) => void)[] = []
  const order = new QueryObserver(client, {
    queryKey: [['orders', 'get'], { input: { id: 'a' }, type: 'query' }],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    staleTime: Infinity,
  })
  onTestFinished(order.subscribe(() => undefined))
  readAgain(client, 'order')
  readAgain(client, 'server')
  expect(answers).toHaveLength(1)
  answers[0]?.('PAID')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.('ACTIVE')
  await vi.waitFor(() => expect(order.getCurrentResult()).toMatchObject({ data: 'ACTIVE', fetchStatus: 'idle' }))
  expect(answers).toHaveLength(2)
})
