/** A remote console's two sockets: the browser's, by ticket, and the agent's, which brings the machine. */
import type { Duplex } from 'node:stream'
import { agentRemotePath, remotePath, remoteProtocol } from '@vps/shared/remote'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createWebSocketStream, type WebSocket } from 'ws'
import { inTx } from '../../db/tx.js'
import type { Deps } from '../../deps.js'
import { addressBlock, plainAddress } from '../../rate-limits.js'
import { openRemote } from '../../remote/remote-consoles.js'
import { openBringer } from './bringer.js'
import { cutOffEndless } from '../cut-off-endless.js'
import { closeWith, keepAlive } from './sockets.js'
import { openMeeting } from './meeting.js'
import { Viewer } from './viewer.js'
import { openViewers } from './viewers.js'

const mostPerAddress = 200
/** A text pasted into a screen is four for each letter. */
const mostTyped = { frames: 20_000, seconds: 10 }
/** RFC 6455, 7.4. */
const tryAgainLater = 1013

/** Both ends of this process's consoles. */
export function registerRemote(app: FastifyInstance, deps: Deps): void {
  const meeting = openMeeting(deps)
  const viewers = openViewers(deps)
  const bringer = openBringer(deps, meeting)
  const blocks = new Map<WebSocket, string>()

  /** From here nothing is lost, and no more is taken than goes on. */
  function socketAt(path: string, serve: (client: WebSocket, bytes: Duplex, request: FastifyRequest) => Promise<void>) {
    app.get(path, { websocket: true }, (client, request: FastifyRequest) => {
      const bytes = createWebSocketStream(client)
      bytes.on('error', () => {}) // its socket's, whose close is told
      serve(client, bytes, request).catch((error: unknown) => {
        deps.log.warn({ err: error, path }, 'a remote console could not be served')
        closeWith(client, 'unreachable')
      })
    })
  }

  async function view(client: WebSocket, bytes: Duplex, { headers, ip }: FastifyRequest): Promise<void> {
    const address = plainAddress(ip)
    const block = addressBlock(address)
    if ([...blocks.values()].filter((other) => other === block).length >= mostPerAddress)
      return client.close(tryAgainLater)
    blocks.set(client, block)
    cutOffEndless(client, mostTyped, deps.now)
    client.once('close', () => blocks.delete(client))
    const [protocol, ticket = ''] = (headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/)
    if (protocol !== remoteProtocol || !ticket) return closeWith(client, 'expired')
    const relayAddress = await meeting.address()
    const row = await inTx(deps.db, (tx) => openRemote(tx, { ticket, address, relayAddress }, deps.now()))
    if (typeof row === 'string') return closeWith(client, row)
    const viewer: Viewer = new Viewer(deps, row, client, bytes, () => {
      viewers.remove(viewer)
      forget()
    })
    const forget = meeting.await(row.id, (machine) => viewer.show(machine))
    viewers.add(viewer)
    keepAlive(client, deps.config.remotePingSeconds)
    client.once('close', () => viewers.end(viewer, 'left'))
    if (client.readyState !== client.OPEN) viewers.end(viewer, 'left')
    else if (deps.stopping.signal.aborted) viewers.end(viewer, 'restarted')
  }

  socketAt(remotePath, view)
  socketAt(agentRemotePath, bringer.bring)
  deps.stopping.signal.addEventListener('abort', () => {
    viewers.endAll()
    bringer.endAll()
  })
  app.addHook('preClose', async () => {
    meeting.close()
    await Promise.all([viewers.close(), bringer.close()])
  })
}
