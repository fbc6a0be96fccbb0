import http from 'node:http'
import net from 'node:net'
import { once } from 'node:events'

/** What stands in for the product's own answer. */
export type Answer = { status: number; type: string; body: string } | 'nothing'

/** As nginx and its like answer for a product that is not there. */
export const badGateway: Answer = {
  status: 502,
  type: 'text/html',
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
}

export type Proxy = {
  url: string
  /** Until the act is over, requests whose address fits are answered here and never reach the product. */
  whileAnswering(call: RegExp, answer: Answer, act: () => Promise<void>): Promise<void>
  /** Until the act is over, requests whose address fits wait here; then they go on. */
  whileHolding(call: RegExp, act: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** A forward proxy as a company or a provider has one: it passes everything on, until it is told to answer itself. */
export async function startProxy(): Promise<Proxy> {
  const through: Handler = { call: /(?:)/, handle: passOn }
  let handler = through
  const server = http.createServer((request, response) => {
    const { handle } = handler.call.test(request.url ?? '') ? handler : through
    handle(request, response)
  })
  async function whileHandling(other: Handler, act: () => Promise<void>): Promise<void> {
    handler = other
    try {
      await act()
    } finally {
      handler = through
    }
  }
  // Sockets of the browser are tunnelled.
  server.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    const { hostname, port } = new URL(`http://${request.url}`)
    const target = net.connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    target.once('error', () => client.destroy())
    client.once('error', () => target.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    whileAnswering: (call, answer, act) =>
      whileHandling(
        {
          call,
          // What was sent must be read to its end, or the browser sees a broken connection instead of the answer.
          handle: (request, response) => void request.resume().once('end', () => reply(response, answer)),
        },
        act,
      ),
    async whileHolding(call, act) {
      const held: (() => void)[] = []
      const handle: Handler['handle'] = (...waiting) => void held.push(() => passOn(...waiting))
      await whileHandling({ call, handle }, act).finally(() => held.forEach((letGo) => letGo()))
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Handler = { call: RegExp; handle: (request: http.IncomingMessage, response: http.ServerResponse) => void }

function passOn(request: http.IncomingMessage, response: http.ServerResponse): void {
  const onward = http.request(request.url ?? '', { method: request.method, headers: request.headers })
  onward.once('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  onward.once('error', () => response.destroy())
  response.once('close', () => onward.destroy())
  request.pipe(onward)
}

function reply(response: http.ServerResponse, answer: Answer): void {
  if (answer === 'nothing') return void response.destroy()
  response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
}
