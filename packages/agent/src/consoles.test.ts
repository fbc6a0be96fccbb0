import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { remoteEnds } from '@vps/shared/remote'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { openConsoles } from './consoles.js'
import { NothingToShow } from './hypervisor/hypervisor.js'

let api: WebSocketServer
let ending: AbortController
let consoles: ReturnType<typeof openConsoles>
let machines: Machine[]
let opens: () => Promise<Duplex>
const came: { socket: WebSocket; headers: object; closed: number | null; heard: string }[] = []

class Machine extends Duplex {
  override _read(): void {}
  override _write(data: Buffer, _encoding: string, done: () => void): void {
    this.push(`<${data.toString()}>`)
    done()
  }
}

beforeEach(async () => {
  came.length = 0
  machines = []
  opens = async () => {
    const machine = new Machine()
    machines.push(machine)
    return machine
  }
  api = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(api, 'listening')
  api.on('connection', (socket, { headers }) => {
    const one = { socket, headers, closed: null as number | null, heard: '' }
    socket.on('close', (code) => (one.closed = code))
    socket.on('message', (data: Buffer) => (one.heard += data.toString()))
    came.push(one)
  })
  ending = new AbortController()
  consoles = openConsoles({
    apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    token: () => 'host-token',
    hypervisor: { openConsole: () => opens() },
    log: pino({ level: 'silent' }),
    signal: ending.signal,
  })
})
afterEach(() => {
  for (const { socket } of came) socket.terminate()
  api.close()
})

const serverId = randomUUID()
const ask = (server = serverId) =>
  consoles.bring({ id: randomUUID(), serverId: server, kind: 'screen', secret: 's'.repeat(43) })

test('a console is brought with the host’s token and its secret, and bytes go both ways', async () => {
  await ask()
  expect(came[0]?.headers).toMatchObject({ authorization: 'Bearer host-token', 'x-console-secret': 's'.repeat(43) })
  came[0]?.socket.send(Buffer.from('hello'))
  await expect.poll(() => came[0]?.heard).toBe('<hello>')
})

test('when the API goes, the machine’s end is let go', async () => {
  await ask()
  came[0]?.socket.terminate()
  await expect.poll(() => machines[0]?.destroyed).toBe(true)
})

test('the machine’s last words are told before its end', async () => {
  await ask()
  machines[0]?.push('x'.repeat(200_000))
  machines[0]?.push(null)
  machines[0]?.end()
  await expect.poll(() => came[0]?.closed).toBe(remoteEnds.machine.code)
  expect(came[0]?.heard).toHaveLength(200_000)
})

test('off is told as off, and what else went wrong as unreachable', async () => {
  opens = () => Promise.reject(new NothingToShow('off'))
  await ask()
  await expect.poll(() => came[0]?.closed).toBe(remoteEnds.off.code)
  opens = () => Promise.reject(new Error('libvirt is away'))
  await ask()
  await expect.poll(() => came[1]?.closed).toBe(remoteEnds.unreachable.code)
})

test.each([new Error('reset'), undefined])(
  'a machine that goes before the API has answered is told as gone: %s',
  async (error) => {
    opens = async () => {
      const machine = new Machine()
      setImmediate(() => machine.destroy(error))
      return machine
    }
    await ask()
    await expect.poll(() => came[0]?.closed).toBe(remoteEnds.machine.code)
  },
)

test('of one machine’s screen there is one: the newest', async () => {
  for (let n = 0; n < 5; n++) await ask()
  await ask(randomUUID())
  await expect
    .poll(() => came.map(({ closed }) => closed))
    .toEqual([...Array<number>(4).fill(remoteEnds.replaced.code), null, null])
  expect(machines.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, false, false])
})

test('who comes when a host’s places are taken is told so, and comes once one is free', async () => {
  for (let n = 0; n < 64; n++) await ask(randomUUID())
  await ask()
  await expect.poll(() => came[64]?.closed).toBe(remoteEnds.full.code)
  expect(machines).toHaveLength(64)
  came[0]?.socket.close()
  await expect.poll(() => machines[0]?.destroyed).toBe(true)
  await ask()
  await ask()
  await expect.poll(() => came[65]?.closed).toBe(remoteEnds.replaced.code)
  expect([came[66]?.closed, machines.length]).toEqual([null, 66])
})

test('an agent that stops says so', async () => {
  await ask()
  ending.abort()
  await expect.poll(() => came[0]?.closed).toBe(remoteEnds.restarted.code)
  await expect.poll(() => machines[0]?.destroyed).toBe(true)
})

test('an API that is not there costs nothing', async () => {
  api.close()
  await ask()
  await expect.poll(() => machines[0]?.destroyed).toBe(true)
})
