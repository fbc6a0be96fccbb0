import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * A socket in Linux' abstract namespace, named after the folder: the kernel takes it back when its process dies, so no
 * lock is ever stale.
 */
export async function lockFolder(folder: string): Promise<{ release: () => Promise<void> }> {
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new AlreadyRunning(folder) : error),
    )
    server.listen(`\0vps-agent-${name}`, resolve)
  })
  server.unref()
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

export class AlreadyRunning extends Error {
  constructor(folder: string) {
    super(`Another agent is already running on ${folder}; stop it first or give this one its own STATE_DIR.`)
  }
}
