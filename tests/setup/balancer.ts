import http from 'node:http'
import { once } from 'node:events'
import type net from 'node:net'

export type Balancer = { url: string; stop(): Promise<void> }

const checkMs = 100

/**
 * Sends to ready API processes, asked every 100 ms; tries the next where none connects. What was begun is never sent
 * twice.
 */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const agent = new http.Agent({ keepAlive: true })
  const ready = new Set<string>()
  const check = async (target: string) => {
    const reply = await fetch(`${target}/readyz`).catch(() => null)
    if (reply?.ok) ready.add(target)
    else ready.delete(target)
  }
  await Promise.all(targets.map(check))
  const timer = setInterval(() => void Promise.all(targets.map(check)), checkMs)
  let turn = 0
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const order = [...ready]
      turn++
      pass(
        request,
        Buffer.concat(chunks),
        [...order.slice(turn % order.length), ...order.slice(0, turn % order.length)],
        response,
      )
    })
  })
  function pass(
    request: http.IncomingMessage,
    body: Buffer,
    [target, ...others]: string[],
    response: http.ServerResponse,
  ): void {
    if (target === undefined) return void response.writeHead(502).end()
    const onward = http.request(`${target}${request.url}`, { method: request.method, headers: request.headers, agent })
    onward.once('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    onward.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') pass(request, body, others, response)
      else response.destroy()
    })
    onward.end(body)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    async stop() {
      clearInterval(timer)
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
