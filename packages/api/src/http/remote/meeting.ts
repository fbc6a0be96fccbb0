/**
 * Viewer and machine meet in the viewer's process. An agent in another is piped here, over a listener opened with the
 * first viewer (RELAY_ADDRESS): the console's id and its host's secret, in so many bytes, then only the machine's.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RemoteEnd } from '@vps/shared/remote'
import type { Deps } from '../../deps.js'
import { holdsSecret } from '../../remote/remote-consoles.js'

/** `ended` comes once, however it ends. */
export type Machine = { bytes: Duplex; ended: Promise<RemoteEnd> }
export type Credential = { id: string; secret: string }

const [idBytes, secretBytes] = [16, 32]
const greetingMs = 5_000
const mostConnections = 1_000
/** A machine that lost its power ends nothing: with ten questions a second apart it is noticed within half a minute. */
const asking = { keepAlive: true, keepAliveInitialDelay: 15_000 }

export type Meeting = ReturnType<typeof openMeeting>

/** Of one process. */
export function openMeeting(deps: Deps) {
  const waiting = new Map<string, (machine: Machine) => void>()
  let server: Server | null = null
  let address: Promise<string> | null = null

  const meet = (id: string, machine: Machine): boolean => {
    const take = waiting.get(id)
    waiting.delete(id)
    take?.(machine)
    return take !== undefined
  }

  async function welcome(socket: Socket): Promise<void> {
    socket.on('error', () => {})
    socket.setNoDelay(true)
    const ended = new Promise<RemoteEnd>((resolve) => socket.once('close', () => resolve('unreachable')))
    const credential = await readGreeting(socket)
    if (!credential || !(await holdsSecret(deps.db, credential))) return void socket.destroy()
    if (!meet(credential.id, { bytes: socket, ended })) socket.destroy()
  }

  async function listen(): Promise<string> {
    const host = deps.config.relayAddress
    server = createServer(asking, (socket) => {
      welcome(socket).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'remote console: a relay could not be taken')
        socket.destroy()
      })
    })
    server.maxConnections = mostConnections
    server.listen({ host, port: 0, exclusive: true })
    await once(server, 'listening')
    // One connection that cannot be taken, as open files are short, is no end.
    server.on('error', (error) => deps.log.warn({ err: error }, 'remote console: a relay could not be taken'))
    const bound = server.address()
    return `${host}:${typeof bound === 'object' ? bound?.port : ''}`
  }

  return {
    address: () =>
      (address ??= listen().catch((error: unknown) => {
        address = null
        throw error
      })),
    await(id: string, take: (machine: Machine) => void): () => void {
      waiting.set(id, take)
      return () => void (waiting.get(id) === take && waiting.delete(id))
    },
    /** False: nobody waits for it here. */
    meet,
    close: () => server?.close(),
  }
}

/** Leaves the socket paused, with what follows. Null: it said less, or nothing in time. */
function readGreeting(socket: Socket): Promise<Credential | null> {
  return new Promise((resolve) => {
    let heard = Buffer.alloc(0)
    const limit = setTimeout(() => socket.destroy(), greetingMs)
    const settle = (credential: Credential | null) => {
      clearTimeout(limit)
      socket.off('data', hear).off('close', gone).pause()
      resolve(credential)
    }
    const hear = (data: Buffer) => {
      heard = Buffer.concat([heard, data])
      if (heard.length < idBytes + secretBytes) return
      settle(fromGreeting(heard))
      socket.unshift(heard.subarray(idBytes + secretBytes))
    }
    const gone = () => settle(null)
    socket.on('data', hear).once('close', gone)
  })
}

function fromGreeting(greeting: Buffer): Credential {
  const hex = greeting.toString('hex', 0, idBytes)
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { id, secret: greeting.toString('base64url', idBytes, idBytes + secretBytes) }
}

/** To the viewer's process; throws where it is out of reach. */
export async function reach(address: string, { id, secret }: Credential): Promise<Socket> {
  const [host = '', port] = address.split(/:(?=\d+$)/)
  const socket = connect({ host, port: Number(port), noDelay: true, ...asking })
  socket.setTimeout(greetingMs, () => socket.destroy(new Error('not connected in time')))
  await once(socket, 'connect')
  socket.setTimeout(0)
  socket.on('error', () => {})
  socket.write(Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), Buffer.from(secret, 'base64url')]))
  return socket
}
