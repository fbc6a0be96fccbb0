import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { agentRemotePath, remoteEnds, remotePath } from '@vps/shared/remote'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { call } from '../../testing/people.js'
import { bring, openWatched, view } from '../../testing/remote.js'

let shop: Awaited<ReturnType<typeof openWatched>>
let app: FastifyInstance
beforeEach(async () => {
  shop = await openWatched()
  app = shop.app
})
afterEach(() => shop.sale.app.close())

test('whatever a handshake says is answered, and a console that is open goes on', async () => {
  const { viewer, machine } = await shop.watching()
  const words = fc.array(
    fc.oneof(
      fc.constantFrom('vps.remote', 'x'.repeat(43), ''),
      fc.string({ minLength: 1, maxLength: 60 }).map((text) => encodeURIComponent(text)),
    ),
    { maxLength: 4 },
  )
  const headers = fc.dictionary(
    fc.constantFrom('x-console-id', 'x-console-secret', 'authorization', 'cookie'),
    fc.oneof(fc.constant(`Bearer ${shop.sale.host.token}`), fc.stringMatching(/^[\da-f-]{0,80}$/)),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(remotePath, agentRemotePath), words, headers, async (path, protocols, said) => {
      const url = `${app.listeningOrigin.replace(/^http/, 'ws')}${path}`
      const socket = new WebSocket(url, { headers: { ...said, 'sec-websocket-protocol': protocols.join(', ') } })
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('close', resolve))
    }),
    { numRuns: 60 },
  )
  machine.say(' still')
  await expect.poll(viewer.heard).toBe('machine still')
  expect(shop.sale.app.logged()).not.toMatch(/"level":(50|60)/)
})

test.each([
  [
    'a revoked token',
    (path: string) => call(shop.sale.app, 'DELETE', `${path}/token`, { token: shop.sale.admin.token }),
  ],
  ['a new enrolment command', (path: string) => shop.sale.admin.post(`${path}/enrolment`)],
])(
  'whoever brings a machine with a stolen token is cut off by %s, and nothing that is typed goes there',
  async (_, act) => {
    const { viewer, machine } = await shop.watching()
    expect((await act(`/hosts/${shop.sale.host.id}`)).status).toBe(200)
    await expect.poll(machine.closed).not.toBeNull()
    await expect.poll(viewer.closed).toBe(remoteEnds.unreachable.code)
    await expect.poll(async () => (await shop.row()).ended_why).toBe('unreachable')
  },
)

test('one address has at most 200 sockets, also of those that do not go when told', async () => {
  const port = Number(new URL(app.listeningOrigin).port)
  const handshake = [
    `GET ${remotePath} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Protocol: vps.remote, no-ticket',
  ]
  const stubborn = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.write(`${handshake.join('\r\n')}\r\n\r\n`)
      await once(socket, 'data')
      return socket
    }),
  )
  const late = view(app, await shop.ticket())
  await expect.poll(late.closed).toBe(1013)
  for (const socket of stubborn) socket.destroy()
  await expect.poll(async () => (await shop.watching()).viewer.closed()).toBeNull()
})

test('frames that break the protocol end their own socket alone, and text is bytes', async () => {
  const [one, other] = [await shop.watching(), view(app, await shop.ticket(shop.sale.lin, 'serial'))]
  const serial = bring(app, shop.sale.host.token, await shop.asked())
  await serial.opened
  other.socket.send('text')
  await expect.poll(serial.heard).toBe('text')
  other.say(Buffer.alloc(64 * 1024 + 1))
  await expect.poll(other.closed).not.toBeNull()
  await expect.poll(serial.closed).not.toBeNull()
  expect([one.viewer.closed(), one.machine.closed()]).toEqual([null, null])
})

test('the relay takes nothing but a console’s secret, and not for long', async () => {
  const { viewer } = await shop.watching()
  const { relay_address: address, id } = await shop.row()
  const [host = '', port] = (address ?? '').split(':')
  const greetings = [
    Buffer.alloc(0),
    randomBytes(20),
    randomBytes(48),
    randomBytes(100_000),
    Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), randomBytes(32)]),
    Buffer.from('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  ]
  for (const greeting of greetings) {
    const socket = connect({ host, port: Number(port) })
    socket.on('error', () => {}).resume()
    socket.end(greeting)
    await once(socket, 'close')
  }
  expect(viewer.closed()).toBeNull()
})

/** Cuts what is idle so long, as reverse proxies do. */
async function openImpatientProxy(target: number, idleMs: number) {
  let cut = 0
  const sockets = new Set<Socket>()
  const server: Server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.setTimeout(idleMs, () => {
        cut += 1
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { origin: `http://127.0.0.1:${port}`, cut: () => cut, close }
}

test('a console on which nothing happens outlives proxies that cut what is idle, on both sides', async () => {
  shop.sale.app.deps.config.remotePingSeconds = 0.5
  const proxy = await openImpatientProxy(Number(new URL(app.listeningOrigin).port), 2_000)
  const idle = connect({ port: Number(new URL(proxy.origin).port), host: '127.0.0.1' })
  idle.on('error', () => {})
  const viewer = view(proxy, await shop.ticket())
  const machine = bring(proxy, shop.sale.host.token, await shop.asked())
  await machine.opened
  await once(idle, 'close')
  await expect.poll(() => Math.min(viewer.pings(), machine.pings())).toBeGreaterThan(12)
  expect([viewer.closed(), machine.closed(), proxy.cut()]).toEqual([null, null, 1])
  machine.say('still there')
  await expect.poll(viewer.heard).toBe('still there')
  proxy.close()
})

test('a viewer that has gone without a word is let go', async () => {
  shop.sale.app.deps.config.remotePingSeconds = 0.05
  const silent = view(app, await shop.ticket(), { autoPong: false })
  const machine = bring(app, shop.sale.host.token, await shop.asked())
  await expect.poll(machine.closed).not.toBeNull()
  await expect.poll(silent.closed).not.toBeNull()
})
