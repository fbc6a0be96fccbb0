import http from 'node:http'
import { once } from 'node:events'
import type net from 'node:net'
import type { Random } from '../simulation/random.js'

/** What becomes of a call on its way; most often of its answer alone. */
export const mishaps = [
  'lost',
  'answer lost',
  'answer lost',
  'answer cut',
  'sent twice',
  'sent twice',
  'late',
  'a proxy’s page',
] as const

export type BadLine = {
  url: string
  /** How many calls fared badly so far. */
  struck: () => number
  heal(): void
  stop(): Promise<void>
}

const latestMs = 6_000

/** Leads to `target`. A share of the calls fares badly, each in the next way, until it is healed. */
export async function startBadLine(target: string, random: Random, share: number): Promise<BadLine> {
  const agent = new http.Agent({ keepAlive: true })
  let [struck, isHealed] = [0, false]

  const send = async ({ url, method, headers }: http.IncomingMessage, body: Buffer) => {
    const onward = http.request(`${target}${url}`, { method, headers, agent }).end(body)
    const [reply] = (await once(onward, 'response')) as [http.IncomingMessage]
    return { reply, text: await bytesOf(reply) }
  }
  async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await bytesOf(request)
    const mishap = !isHealed && random.chance(share) ? mishaps[struck++ % mishaps.length] : null
    if (mishap === 'lost') return void request.socket.destroy()
    if (mishap === 'a proxy’s page') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
    if (mishap === 'late') await new Promise((resolve) => setTimeout(resolve, random.between(200, latestMs)))
    if (mishap === 'sent twice') await send(request, body)
    const { reply, text } = await send(request, body)
    if (mishap === 'answer lost') return void request.socket.destroy()
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    if (mishap !== 'answer cut') return void response.end(text)
    response.write(text.subarray(0, text.length / 2), () => request.socket.destroy())
  }
  const server = http.createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    struck: () => struck,
    heal: () => (isHealed = true),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      agent.destroy()
    },
  }
}

async function bytesOf(message: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
