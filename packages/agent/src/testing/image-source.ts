import { createHash, randomBytes } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { WantedImage } from '@vps/shared/agent.contract'
import { freePort } from '../../../../tests/setup/free-port.js'

type Asked = { path: string; headers: IncomingHttpHeaders }

/** A real server with one content, ETag and ranges, as a mirror. `misbehave` may answer itself, giving true. */
export class ImageSource {
  readonly asked: Asked[] = []
  content: Buffer
  /** Null: does not say which state of the file it is. */
  etag: string | null = '"first"'
  ranges = true
  misbehave: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  private server: Server | null = null
  private port = 0

  constructor(bytes = 300_000) {
    this.content = randomBytes(bytes)
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.asked.push({ path: request.url ?? '', headers: request.headers })
      if (!this.misbehave(request, response)) this.serve(request, response)
    })
    this.port ||= await freePort()
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.server = server
  }

  async close(): Promise<void> {
    const { server } = this
    this.server = null
    server?.closeAllConnections()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get sha256(): string {
    return createHash('sha256').update(this.content).digest('hex')
  }

  image(change: Partial<WantedImage> = {}): WantedImage {
    return { file: 'debian-13.qcow2', url: `${this.origin}/debian.qcow2?token=geheim`, sha256: this.sha256, ...change }
  }

  /** `upTo` cuts the answer off, and leaves the connection. */
  serve(request: IncomingMessage, response: ServerResponse, upTo = Infinity): void {
    const from = this.begin(request)
    const headers = {
      'content-length': this.content.length - from,
      ...(this.etag === null ? {} : { etag: this.etag }),
      ...(from > 0 ? { 'content-range': `bytes ${from}-${this.content.length - 1}/${this.content.length}` } : {}),
    }
    response.writeHead(from > 0 ? 206 : 200, headers)
    const part = this.content.subarray(from, Math.max(from, Math.min(upTo, this.content.length)))
    if (part.length === this.content.length - from) response.end(part)
    else response.write(part)
  }

  cutOff(request: IncomingMessage, response: ServerResponse, upTo: number, hasArrived: () => boolean): void {
    this.serve(request, response, upTo)
    const timer = setInterval(() => void (hasArrived() && response.destroy()), 5)
    response.once('close', () => clearInterval(timer))
  }

  private begin({ headers }: IncomingMessage): number {
    const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]
    return this.ranges && from && headers['if-range'] === this.etag ? Number(from) : 0
  }
}
