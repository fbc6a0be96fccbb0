import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { afterEach, expect, test } from 'vitest'
import { createHostKey } from '../host-key.js'
import { LoginRefused } from './hypervisor.js'
import { logIn, readBanner } from './ssh-proof.js'

const servers: { close: () => unknown }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(greet: (socket: Socket) => void): Promise<number> {
  const server = createServer(greet)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

test('a banner is a guest that is up', async () => {
  const port = await listen((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
  expect(await readBanner('127.0.0.1', port, 5000)).toBeGreaterThanOrEqual(0)
})

test('a banner that comes in pieces is one too', async () => {
  const port = await listen((socket) => {
    socket.write('SS')
    setImmediate(() => socket.end('H-2.0-x\r\n'))
  })
  expect(await readBanner('127.0.0.1', port, 5000)).not.toBeNull()
})

test.each<[string, (socket: Socket) => void]>([
  ['one that accepts and says nothing', (socket) => void socket.on('error', () => {})],
  ['one that hangs up', (socket) => socket.destroy()],
  ['one that speaks something else', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('a port is not a guest: %s', async (_name, greet) => {
  const port = await listen(greet)
  expect(await readBanner('127.0.0.1', port, 300)).toBeNull()
})

test('a login to something that is not SSH fails as unreachable, not as a wrong password', async () => {
  const port = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const login = logIn({ address: '127.0.0.1', port, username: 'root', readiness: 'ssh' }, 'Any-Password-1', 'any')
  await expect(login).rejects.toThrow('no SSH login')
  await expect(login).rejects.not.toBeInstanceOf(LoginRefused)
})

test('the password is told to the guest with the seeded host key, and to nobody else who answers at its address', async () => {
  const [seeded, other] = [createHostKey(), createHostKey()]
  const heard: string[] = []
  const guest = new ssh2.Server({ hostKeys: [seeded.privateKey] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (attempt) => {
      if (attempt.method !== 'password') return attempt.reject(['password'])
      heard.push(attempt.password)
      attempt.accept()
    })
  })
  servers.push(guest)
  await new Promise<void>((resolve) => guest.listen(0, '127.0.0.1', resolve))
  const { port } = guest.address() as AddressInfo
  const access = { address: '127.0.0.1', port, username: 'root', readiness: 'ssh' } as const
  await expect(logIn(access, 'Any-Password-1', other.fingerprint)).rejects.toThrow('no SSH login')
  expect(heard).toEqual([])
  await logIn(access, 'Any-Password-1', seeded.fingerprint)
  expect(heard).toEqual(['Any-Password-1'])
})

/** Vitest fails a run with an unheard error, which would end the agent and every job. */
test('a guest that resets the connection once the password was taken does not end the agent', async () => {
  const key = createHostKey()
  let isLoggedIn = false
  const guest = new ssh2.Server({ hostKeys: [key.privateKey] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (attempt) =>
      attempt.method === 'password' ? attempt.accept() : attempt.reject(['password']),
    )
    client.on('ready', () => (isLoggedIn = true))
  })
  servers.push(guest)
  guest.listen(0, '127.0.0.1')
  await once(guest, 'listening')
  const port = await listen((socket) => {
    const inner = connect((guest.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    socket
      .on('error', () => {})
      .pipe(inner)
      .pipe(socket)
    socket.on('data', () => isLoggedIn && socket.resetAndDestroy())
  })
  const login = logIn(
    { address: '127.0.0.1', port, username: 'root', readiness: 'ssh' },
    'Any-Password-1',
    key.fingerprint,
  )
  await expect(login).resolves.toBeUndefined()
  await pause(200)
})
