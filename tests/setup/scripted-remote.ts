import type { Server } from 'node:http'
import { remotePath, remoteProtocol } from '@vps/shared/remote'
import { WebSocketServer } from 'ws'

/** As the API's. */
const maxPayload = 64 * 1024

/**
 * A machine's serial line, told by the ticket what to do: `end.CODE` closes, `silent` says nothing, any other word is
 * said first. It echoes as a terminal does.
 */
export function scriptedRemote(server: Server): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload, handleProtocols: () => remoteProtocol })
  server.on('upgrade', (request, socket, head) => {
    // Notifications: a browser opens no other socket while this one waits.
    if (request.url?.startsWith('/trpc')) return sockets.handleUpgrade(request, socket, head, () => {})
    if (request.url !== remotePath) return
    const ticket = request.headers['sec-websocket-protocol']?.split(',')[1]?.trim() ?? ''
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => {}) // its close is told
      const code = /^end\.(\d+)$/.exec(ticket)?.[1]
      if (code) return client.close(Number(code))
      if (ticket !== 'silent') client.send(Buffer.from(`${ticket} login: `))
      client.on('message', (bytes) => client.send(bytes))
    })
  })
}
