/** What agents bring goes to its viewer, here or in another process. */
import type { Duplex } from 'node:stream'
import { agentRemoteHeaders, remoteEndOf, type RemoteEnd } from '@vps/shared/remote'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Deps } from '../../deps.js'
import { findHostByToken } from '../../fleet/hosts.js'
import { endRemote, meetRemote } from '../../remote/remote-consoles.js'
import { bearerToken } from '../caller.js'
import { closeWith, keepAlive } from './sockets.js'
import { reach, type Machine, type Meeting, type Credential } from './meeting.js'

/** Of one process. */
export function openBringer(deps: Deps, meeting: Meeting) {
  const across = new Set<(end: RemoteEnd) => void>()
  const ending = new Set<Promise<unknown>>()

  async function bring(client: WebSocket, bytes: Duplex, { headers }: FastifyRequest): Promise<void> {
    const machine = { bytes, ended: endOf(client, bytes) }
    keepAlive(client, deps.config.remotePingSeconds)
    const credential = credentialOf(headers)
    const token = bearerToken(headers.authorization)
    const host = token === null ? null : await findHostByToken(deps.db, token)
    const address = host && credential && (await meetRemote(deps.db, host.id, credential, deps.now()))
    if (!address || !credential) return closeWith(client, 'expired')
    if (meeting.meet(credential.id, machine)) return
    if (address === (await meeting.address())) return closeWith(client, 'expired')
    await pipeAcross(machine, address, credential)
  }

  async function pipeAcross({ bytes, ended }: Machine, address: string, credential: Credential): Promise<void> {
    const keep = (why: RemoteEnd) => endRemote(deps.db, credential.id, why, deps.now())
    const other = await reach(address, credential).catch(async (error: unknown) => {
      await keep('unreachable')
      throw error
    })
    let isOver = false
    const finish = (why: RemoteEnd) => {
      if (isOver) return
      isOver = true
      across.delete(finish)
      bytes.destroy()
      // The viewer's process can read why before it sees the end.
      const written = keep(why)
        .catch((error: unknown) =>
          deps.log.error({ err: error, remote: credential.id }, 'remote console: its end could not be written'),
        )
        .finally(() => (other.destroy(), ending.delete(written)))
      ending.add(written)
    }
    across.add(finish)
    // Ended by `finish` alone, which writes why first.
    bytes.pipe(other, { end: false })
    other.pipe(bytes)
    other.once('close', () => bytes.end())
    void ended.then(finish)
  }

  return {
    bring,
    endAll() {
      for (const finish of across) finish('restarted')
    },
    close: () => Promise.allSettled(ending),
  }
}

/** All it brought was taken, and it said why it ended; else it was lost. */
function endOf(client: WebSocket, bytes: Duplex): Promise<RemoteEnd> {
  return new Promise((resolve) =>
    client.once('close', (code: number) => {
      const tell = () => resolve(remoteEndOf(code) ?? 'unreachable')
      if (bytes.readableEnded || bytes.destroyed) tell()
      else bytes.once('end', tell).once('close', tell)
    }),
  )
}

function credentialOf(headers: FastifyRequest['headers']): Credential | null {
  const [id, secret] = [headers[agentRemoteHeaders.id], headers[agentRemoteHeaders.secret]]
  if (typeof id !== 'string' || typeof secret !== 'string') return null
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) && /^[\w-]{43}$/.test(secret) ? { id, secret } : null
}
