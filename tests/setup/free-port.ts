import net from 'node:net'

/**
 * A port that nobody listens on, with `many` after it: below those of outgoing connections (32768 on), which could take
 * it first.
 */
export async function freePort(many = 0): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 12_000 + Math.floor(Math.random() * 18_000)
    const ports = Array.from({ length: 1 + many }, (_, n) => port + n)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return port
  }
  throw new Error('no free port')
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = net.createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
