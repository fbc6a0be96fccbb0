import type { AddressInfo } from 'node:net'
import type { LiveMessage } from '@vps/shared/hints'
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

function listen(token: string | null) {
  const client = createWSClient({
    url,
    WebSocket: WebSocket as never,
    connectionParams: () => (token ? { token } : {}),
    retryDelayMs: () => 60_000,
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
  await vi.waitFor(() => expect(tab.messages).toEqual([{ what: 'hello' }]))
  await inTx(app.db, async (tx) => {
    publish(tx, { user: lin.user.id, what: 'order', id: 'a' }, { user: lin.user.id, what: 'order', id: 'a' })
    publish(tx, { user: chen.user.id, what: 'order', id: 'b' })
  })
  await inTx(app.db, async (tx) => {
    publish(tx, { user: lin.user.id, what: 'wallet', id: 'never' })
    throw new Error('rolled back')
  }).catch(() => {})
  await inTx(app.db, async (tx) => publish(tx, { user: lin.user.id, what: 'job', id: 'c' }))
  await vi.waitFor(() => expect(tab.messages.at(-1)).toEqual({ what: 'job', id: 'c' }))
  expect(tab.messages).toEqual([{ what: 'hello' }, { what: 'order', id: 'a' }, { what: 'job', id: 'c' }])
  await tab.close()
})

test('nobody listens without a session', async () => {
  const tab = listen(null)
  await vi.waitFor(() => expect(tab.errors).toEqual(['请先登录']))
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
