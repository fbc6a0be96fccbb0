import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * restic's REST protocol, in memory: https://restic.readthedocs.io/en/stable/REST_backend.html. Lists no snapshot: a
 * store whose lists lag behind what it holds.
 */
export async function startLaggingStore() {
  const held = new Map<string, Buffer>()
  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const said = await answerTo(held, request, new URL(request.url ?? '/', 'http://store').pathname)
    reply.writeHead(said === null ? 404 : request.headers.range ? 206 : 200, {
      'content-type': 'application/vnd.x.restic.rest.v2',
      'content-length': said?.length ?? 0,
    })
    reply.end(said)
  }
  const server = createServer((request, reply) => void answer(request, reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `rest:http://127.0.0.1:${port}`
  return {
    at: { url, password: 'Of-The-Repository-1', environment: {}, uploadLimitKib: 0 },
    stop: () => server.close(),
  }
}

async function answerTo(held: Map<string, Buffer>, request: IncomingMessage, path: string): Promise<Buffer | null> {
  if (request.method === 'POST') {
    held.set(path, await buffer(request))
    return Buffer.alloc(0)
  }
  if (request.method === 'DELETE') return held.delete(path) ? Buffer.alloc(0) : null
  if (!path.endsWith('/')) return partOf(held.get(path) ?? null, request.headers.range)
  const names = [...held.keys()].filter((one) => one.startsWith(path) && !path.endsWith('/snapshots/'))
  return Buffer.from(
    JSON.stringify(names.map((one) => ({ name: one.slice(path.length), size: held.get(one)?.length }))),
  )
}

function partOf(whole: Buffer | null, range: string | undefined): Buffer | null {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined) return whole
  return whole?.subarray(Number(from), to ? Number(to) + 1 : undefined) ?? null
}
