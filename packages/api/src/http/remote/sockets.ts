import { remoteEnds, type RemoteEnd } from '@vps/shared/remote'
import type { WebSocket } from 'ws'

/**
 * A proxy on the way sees traffic, and who answers no ping until the next is gone. One that we do not read, because the
 * other side takes nothing, cannot be heard.
 */
export function keepAlive(socket: WebSocket, everySeconds: number): void {
  let answered = true
  socket.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    if (!answered && !socket.isPaused) return socket.terminate()
    answered = false
    socket.ping()
  }, everySeconds * 1000)
  socket.once('close', () => clearInterval(timer))
}

/** With an end's code and sentence. */
export function closeWith(socket: WebSocket, end: RemoteEnd): void {
  const { code, text } = remoteEnds[end]
  socket.close(code, text)
}
