/** epay V1 as the stock gateway speaks it. Its own program: the shop meets it as a real one. */
import http from 'node:http'
import { portOf } from '../port-of.js'
import type { Faults } from './faults.js'
import { route } from './routes.js'
import { openSandbox, payOrder, retryNotifies, type Sandbox } from './sandbox.js'
import { readCall, sendReply } from './wire.js'

export type SandboxOptions = {
  pid: string
  key: string
  host?: string
  port?: number
  /** For browsers; default: where it listens. */
  publicUrl?: string
  dataDir?: string
  now?: () => number
}

export type SandboxGateway = {
  url: string
  faults: Faults
  pay(outTradeNo: string): Promise<void>
  stop(): Promise<void>
}

const lookForRetriesMs = 1_000

/** Rejects when the port is taken. */
export async function startSandboxGateway(options: SandboxOptions): Promise<SandboxGateway> {
  const { pid, key, publicUrl, host = '127.0.0.1', port = 0, now = Date.now } = options
  const stop = new AbortController()
  let url = ''
  const given = { merchant: { pid, key }, now, publicUrl: () => publicUrl?.replace(/\/+$/, '') ?? url }
  const sandbox = openSandbox({ ...given, stopping: stop.signal }, options.dataDir)
  const server = http.createServer((request, response) => void answer(sandbox, request, response))
  server.requestTimeout = 20_000
  server.headersTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  url = `http://127.0.0.1:${portOf(server)}`
  const timer = setInterval(() => {
    // A full disk, say: the notices go on.
    retryNotifies(sandbox).catch((error: unknown) =>
      process.stderr.write(`notices could not be kept: ${String(error)}\n`),
    )
  }, lookForRetriesMs)

  return {
    url,
    faults: sandbox.faults,
    async pay(outTradeNo) {
      const order = sandbox.orders.byOutTradeNo(outTradeNo)
      if (!order) throw new Error(`the sandbox knows no order ${outTradeNo}`)
      await payOrder(sandbox, order)
    },
    async stop() {
      stop.abort()
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(sandbox: Sandbox, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  try {
    const reply = await route(sandbox, await readCall(request))
    if (reply) sendReply(response, reply)
    else response.destroy()
  } catch {
    if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('请求格式错误')
  }
}
