import type { FastifyInstance } from 'fastify'
import { agentRemoteHeaders, agentRemotePath, remotePath, remoteProtocol } from '@vps/shared/remote'
import type { RemoteConsoleAsked } from '@vps/shared/remote.contract'
import WebSocket from 'ws'

/** One end of a remote console: what it has heard and how it was closed. */
export type End = ReturnType<typeof watched>

function watched(socket: WebSocket) {
  const heard: Buffer[] = []
  let closed: number | null = null
  let pings = 0
  const opened = new Promise<boolean>((resolve) =>
    socket.once('open', () => resolve(true)).once('error', () => resolve(false)),
  )
  socket.on('message', (data: Buffer) => heard.push(data))
  socket.on('ping', () => (pings += 1))
  socket.on('close', (code) => (closed = code))
  socket.on('error', () => {})
  return {
    socket,
    opened,
    heard: () => Buffer.concat(heard).toString(),
    heardBytes: () => heard.reduce((sum, { length }) => sum + length, 0),
    closed: () => closed,
    pings: () => pings,
    say: (text: string | Buffer) => socket.send(Buffer.from(text)),
  }
}

const addressOf = (app: FastifyInstance) => app.listeningOrigin.replace(/^http/, 'ws')

/** As a browser comes. */
export function view(app: FastifyInstance, ticket: string, options: WebSocket.ClientOptions = {}): End {
  return watched(new WebSocket(`${addressOf(app)}${remotePath}`, [remoteProtocol, ticket], options))
}

/** As an agent comes. */
export function bring(
  app: FastifyInstance,
  token: string,
  { id, secret }: Pick<RemoteConsoleAsked, 'id' | 'secret'>,
): End {
  const headers = {
    authorization: `Bearer ${token}`,
    [agentRemoteHeaders.id]: id,
    [agentRemoteHeaders.secret]: secret,
  }
  return watched(new WebSocket(`${addressOf(app)}${agentRemotePath}`, { headers }))
}
