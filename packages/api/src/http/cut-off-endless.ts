import type { WebSocket } from 'ws'

/**
 * Each frame is some work before anybody asks whose it is, and no proxy before us sees them: a socket that sends more in
 * so short a time is cut off, with what of it waits already.
 */
export function cutOffEndless(socket: WebSocket, most: { frames: number; seconds: number }, now: () => Date): void {
  let [frames, since] = [0, now().getTime()]
  const count = () => {
    const ms = now().getTime()
    if (ms - since >= most.seconds * 1000) [frames, since] = [0, ms]
    if (++frames <= most.frames) return
    socket.removeAllListeners('message')
    socket.terminate()
  }
  for (const frame of ['message', 'ping', 'pong'] as const) socket.on(frame, count)
}
