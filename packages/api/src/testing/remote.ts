import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { agentRemoteHeaders, agentRemotePath, remotePath, remoteProtocol, type RemoteKind } from '@vps/shared/remote'
import type { RemoteConsoleAsked } from '@vps/shared/remote.contract'
import WebSocket from 'ws'
import { must } from '../must.js'
import { openSale } from './sale.js'

/** One end of a console: what it heard, how it was closed. */
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

type Door = Pick<FastifyInstance, 'listeningOrigin'> | { origin: string }
const addressOf = (door: Door) => ('origin' in door ? door.origin : door.listeningOrigin).replace(/^http/, 'ws')

export function view(door: Door, ticket: string, options: WebSocket.ClientOptions = {}): End {
  return watched(new WebSocket(`${addressOf(door)}${remotePath}`, [remoteProtocol, ticket], options))
}

export function bring(door: Door, token: string, { id, secret }: Pick<RemoteConsoleAsked, 'id' | 'secret'>): End {
  const headers = {
    authorization: `Bearer ${token}`,
    [agentRemoteHeaders.id]: id,
    [agentRemoteHeaders.secret]: secret,
  }
  return watched(new WebSocket(`${addressOf(door)}${agentRemotePath}`, { headers }))
}

/** A running server of lin's, and who sees it. */
export async function openWatched() {
  const sale = await openSale()
  const { app } = sale.app
  await app.listen({ port: 0, host: '127.0.0.1' })
  const orderId = await sale.buyActive()
  const serverId = await sale.serverOf(orderId)
  const talk = {
    ticket: async (who = sale.lin, kind: RemoteKind = 'screen'): Promise<string> =>
      (await who.post('/server-management/remote', { serverId, kind })).body.data.ticket,
    async asked(): Promise<RemoteConsoleAsked> {
      const { agent } = sale
      const { consoles } = await agent.caller.claim({ ...agent.me, freeLanes: 0, waitSeconds: 25, running: [] })
      expect(consoles).toHaveLength(1)
      return must(consoles[0])
    },
    async watching(who = sale.lin, at = app, agentAt = app) {
      const viewer = view(at, await talk.ticket(who))
      const machine = bring(agentAt, sale.host.token, await talk.asked())
      await machine.opened
      machine.say('machine')
      await expect.poll(viewer.heard).toBe('machine')
      return { viewer, machine }
    },
    row: () =>
      sale.app.db.selectFrom('remote_consoles').selectAll().orderBy('created_at', 'desc').executeTakeFirstOrThrow(),
  }
  return { sale, app, orderId, serverId, ...talk }
}
