import type { AddressInfo } from 'node:net'
import type { LiveMessage } from '@vps/shared/notifications.contract'
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { inTx, publish } from '../../db/tx.js'
import { startApp, type TestApp } from '../../testing/app.js'
import { person } from '../../testing/people.js'
import type { AppRouter } from './app-router.js'

let app: TestApp
let url: string
beforeEach(async () => {
  app = await startApp()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `ws://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/trpc`
})
afterEach(() => app.close())

function listen(token: string | null, retryMs = 60_000) {
  const client = createWSClient({
    url,
    connectionParams: () => (token ? { token } : {}),
    retryDelayMs: () => retryMs,
  })
  const trpc = createTRPCClient<AppRouter>({ links: [wsLink({ client })] })
  const messages: LiveMessage[] = []
  const errors: string[] = []
  const subscription = trpc.live.subscribe(undefined, {
    onData: (message) => messages.push(message),
    onError: (error) => errors.push(error.message),
  })
  return { messages, errors, close: () => (subscription.unsubscribe(), client.close()) }
}

test('a tab hears hello first and then only what is its own user’s, after commit, each thing once', async () => {
  const [lin, chen] = [await person(app, 'lin'), await person(app, 'chen')]
  const tab = listen(lin.token)
  await expect.poll(() => tab.messages).toEqual([{ what: 'hello' }])
  await inTx(app.db, async (tx) => {
    publish(tx, { user: lin.user.id, what: 'order', id: 'a' }, { user: lin.user.id, what: 'order', id: 'a' })
    publish(tx, { user: chen.user.id, what: 'order', id: 'b' })
  })
  await inTx(app.db, async (tx) => {
    publish(tx, { user: lin.user.id, what: 'wallet', id: 'never' })
    throw new Error('rolled back')
  }).catch(() => {})
  await inTx(app.db, async (tx) => publish(tx, { user: lin.user.id, what: 'job', id: 'c' }))
  await expect.poll(() => tab.messages.at(-1)).toEqual({ what: 'job', id: 'c' })
  expect(tab.messages).toEqual([{ what: 'hello' }, { what: 'order', id: 'a' }, { what: 'job', id: 'c' }])
  await tab.close()
})

test('of what a process of a later version tells, a tab hears what is known here, and goes on listening', async () => {
  const lin = await person(app, 'lin')
  const tab = listen(lin.token)
  await hello(tab)
  const told = [
    { user: lin.user.id, what: 'of-a-later-version', id: 'a' },
    { user: lin.user.id, what: 'order', id: 'b' },
  ]
  await app.ownerPool.query('select pg_notify($1, $2)', ['notifications', JSON.stringify(told)])
  await expect.poll(() => tab.messages.at(-1)).toEqual({ what: 'order', id: 'b' })
  expect([tab.messages.length, tab.errors]).toEqual([2, []])
  await tab.close()
})

test('nobody listens without a session', async () => {
  const tab = listen(null)
  await expect.poll(() => tab.errors).toEqual(['请先登录'])
  await tab.close()
})

test('a socket from a page of another origin is not opened', async () => {
  const socket = new WebSocket(url, { origin: 'https://evil.example' })
  const refused = await new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(error.message))
    socket.on('open', () => resolve('open'))
  })
  expect(refused).toContain('403')
})

const kindsOf = (messages: LiveMessage[]) =>
  messages.flatMap((message) => (message.what === 'shop' ? [message.kind] : []))
const hello = async (...tabs: { messages: LiveMessage[] }[]) => {
  await expect.poll(() => tabs.map(({ messages }) => messages[0]?.what)).toEqual(tabs.map(() => 'hello'))
}

test('an administrator hears that something changed, whoever it belongs to, and never which; nobody else hears it', async () => {
  const [boss, lin, chen] = [
    await person(app, 'boss', { admin: true }),
    await person(app, 'lin'),
    await person(app, 'chen'),
  ]
  const [operators, customers] = [listen(boss.token), listen(chen.token)]
  await hello(operators, customers)
  await inTx(app.db, async (tx) => {
    publish(tx, { user: lin.user.id, what: 'order', id: 'secret' }, { user: lin.user.id, what: 'monitoring', id: '' })
    publish(tx, { shop: 'host' }, { shop: 'host' }, { host: 'h' })
  })
  await expect.poll(() => kindsOf(operators.messages).toSorted()).toEqual(['host', 'order'])
  // Sent later, it arrives later: news of the shop would be here by now.
  await inTx(app.db, async (tx) => publish(tx, { user: chen.user.id, what: 'wallet', id: 'w' }))
  await expect.poll(() => customers.messages.at(-1)).toEqual({ what: 'wallet', id: 'w' })
  expect(customers.messages).toEqual([{ what: 'hello' }, { what: 'wallet', id: 'w' }])
  expect(JSON.stringify(operators.messages)).not.toContain('secret')
  await Promise.all([operators.close(), customers.close()])
})

test('an act that the audit log keeps is heard by administrators, as what it was done to', async () => {
  const boss = await person(app, 'boss', { admin: true })
  const tab = listen(boss.token)
  await hello(tab)
  await boss.post('/categories', { name: '裸金属', sortOrder: 9 })
  await expect.poll(() => kindsOf(tab.messages)).toEqual(expect.arrayContaining(['audit', 'category']))
  await tab.close()
})

test('a busy shop is told once a second: what comes meanwhile is told together afterwards', async () => {
  const boss = await person(app, 'boss', { admin: true })
  const tab = listen(boss.token)
  await hello(tab)
  const change = () => inTx(app.db, async (tx) => publish(tx, { shop: 'order' }, { shop: 'job' }))
  await change()
  await expect.poll(() => kindsOf(tab.messages)).toEqual(['order', 'job'])
  const began = performance.now()
  for (let n = 0; n < 100; n++) await change()
  await inTx(app.db, async (tx) => publish(tx, { shop: 'finding' }))
  await expect.poll(() => kindsOf(tab.messages)).toContain('finding')
  const seconds = (performance.now() - began) / 1000
  expect(kindsOf(tab.messages).filter((kind) => kind === 'order').length).toBeLessThanOrEqual(2 + Math.ceil(seconds))
  await tab.close()
})

test('who is no administrator any more hears nothing more of the shop, and goes on hearing of their own', async () => {
  const boss = await person(app, 'boss', { admin: true })
  const other = await person(app, 'other', { admin: true })
  const tab = listen(boss.token, 0)
  await hello(tab)
  await inTx(app.db, async (tx) => publish(tx, { shop: 'host' }))
  await expect.poll(() => kindsOf(tab.messages)).toEqual(['host'])
  await other.put(`/users/${boss.user.id}/role`, { role: 'USER' })
  await expect.poll(() => tab.messages.filter(({ what }) => what === 'hello')).toHaveLength(2)
  const heard = tab.messages.length
  await inTx(app.db, async (tx) => publish(tx, { shop: 'job' }, { user: boss.user.id, what: 'order', id: 'own' }))
  await expect.poll(() => tab.messages.at(-1)).toEqual({ what: 'order', id: 'own' })
  expect(kindsOf(tab.messages.slice(heard))).toEqual([])
  await tab.close()
})
