import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { agentRemoteHeaders, agentRemotePath, remoteEnds, remoteLimits, type RemoteEnd } from '@vps/shared/remote'
import type { RemoteConsoleAsked } from '@vps/shared/remote.contract'
import type { Logger } from 'pino'
import { createWebSocketStream, WebSocket } from 'ws'
import { type Hypervisor, NothingToShow } from './hypervisor/hypervisor.js'

const mostAtOnce = 64
const connectMs = 10_000
/** The API pings oftener. */
const silentMs = 3 * remoteLimits.pingSeconds * 1000
const lastMs = 1_000

type ConsolesDeps = {
  apiUrl: string
  token: () => string | null
  hypervisor: Pick<Hypervisor, 'openConsole'>
  log: Logger
  signal: AbortSignal
}
export type Consoles = ReturnType<typeof openConsoles>

/** Brings screens and serial lines to who waits at the API; one of each, the newest. */
export function openConsoles({ apiUrl, token, hypervisor, log, signal }: ConsolesDeps) {
  const open = new Map<string, (why: RemoteEnd) => void>()

  async function bring(asked: RemoteConsoleAsked): Promise<void> {
    const { serverId, kind } = asked
    const key = `${serverId}/${kind}`
    if (signal.aborted) return
    if (!open.has(key) && open.size >= mostAtOnce) return refuse(asked)
    open.get(key)?.('replaced')
    const machine = hypervisor.openConsole(serverId, kind)
    // Heard from the beginning: it may go before the API answers, and an unheard error ends the agent.
    const broke = (error: unknown) => log.warn({ server: serverId, kind, err: error }, 'a console broke')
    machine.then(
      (shown) => shown.on('error', broke),
      () => {},
    )
    const socket = connectSocket(asked)
    const bytes = bytesOf(socket)
    const end = (why: RemoteEnd) => closeAfter(bytes, socket, why)
    open.set(key, end)
    socket.once('close', () => {
      if (open.get(key) === end) open.delete(key)
      machine.then(
        (shown) => shown.destroy(),
        () => {},
      )
    })
    const [shown] = await Promise.allSettled([machine, once(socket, 'open')])
    if (shown.status === 'rejected') {
      log.warn({ server: serverId, kind, err: shown.reason }, 'there is no console to bring')
      return end(shown.reason instanceof NothingToShow ? 'off' : 'unreachable')
    }
    if (socket.readyState !== WebSocket.OPEN) return void shown.value.destroy()
    if (shown.value.destroyed) return end('machine')
    shown.value.once('close', () => end('machine'))
    shown.value.pipe(bytes, { end: false })
    bytes.pipe(shown.value)
  }

  /** Its viewer would wait for nothing. */
  function refuse(asked: RemoteConsoleAsked): void {
    const socket = connectSocket(asked)
    socket.once('open', () => closeAfter(bytesOf(socket), socket, 'full'))
  }

  function connectSocket({ id, secret }: RemoteConsoleAsked): WebSocket {
    const socket = new WebSocket(`${apiUrl.replace(/^http/, 'ws')}${agentRemotePath}`, {
      headers: {
        authorization: `Bearer ${token() ?? ''}`,
        [agentRemoteHeaders.id]: id,
        [agentRemoteHeaders.secret]: secret,
      },
      handshakeTimeout: connectMs,
      perMessageDeflate: false,
    })
    socket.on('error', (error) => log.warn({ err: error }, 'a console could not be brought'))
    let late = setTimeout(() => socket.terminate(), silentMs)
    socket.on('ping', () => {
      clearTimeout(late)
      late = setTimeout(() => socket.terminate(), silentMs)
    })
    socket.once('close', () => clearTimeout(late))
    return socket
  }

  signal.addEventListener('abort', () => {
    for (const end of open.values()) end('restarted')
  })
  return {
    bring: (asked: RemoteConsoleAsked) =>
      bring(asked).catch((error: unknown) => log.warn({ err: error }, 'a console could not be brought')),
  }
}

const bytesOf = (socket: WebSocket) => createWebSocketStream(socket).on('error', () => {})

function closeAfter(bytes: Duplex, socket: WebSocket, why: RemoteEnd): void {
  const { code, text } = remoteEnds[why]
  const close = () => {
    clearTimeout(limit)
    if (socket.readyState === WebSocket.CONNECTING) socket.terminate()
    else socket.close(code, text)
  }
  const limit = setTimeout(close, lastMs)
  if (socket.readyState === WebSocket.OPEN) bytes.write('', close)
  else close()
}
