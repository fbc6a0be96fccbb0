import net from 'node:net'

/**
 * A port that nobody listens on, with `many` after it, and that no other test is given while this process lives: what
 * is to listen there may start late. Below those of outgoing connections (32768 on), which could take it first.
 */
export async function freePort(many = 0): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 12_000 + Math.floor(Math.random() * 18_000)
    const ports = Array.from({ length: 1 + many }, (_, n) => port + n)
    const claimed = await Promise.all(ports.map(isOurs))
    if (claimed.every(Boolean) && (await Promise.all(ports.map(isFree))).every(Boolean)) return port
  }
  throw new Error('no free port')
}

/** By a name that the kernel gives to one process, and forgets with it. */
const isOurs = (port: number) =>
  new Promise<boolean>((resolve) => {
    const claim = net.createServer().once('error', () => resolve(false))
    claim.listen(`\0vps-tests-port-${port}`, () => resolve(true)).unref()
  })

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = net.createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
