import type http from 'node:http'
import { parseFields, type Fields } from '@vps/api/payments/epay/fields'

export type Call = { method: string; url: URL; fields: Fields; rawBody: string; fromHere: boolean }
export type Reply = { status?: number; type?: string; body: string; location?: string }

const maxBodyBytes = 64 * 1024

/** Throws for a request that is too long or ambiguous. */
export async function readCall(request: http.IncomingMessage): Promise<Call> {
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const rawBody = await readBody(request)
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const fields = parseFields(isForm ? rawBody : url.search.slice(1))
  if (!fields) throw new Error('malformed fields')
  const address = request.socket.remoteAddress ?? ''
  const fromHere = /^(127\.|::1$|::ffff:127\.)/.test(address) && !request.headers['x-forwarded-for']
  return { method: request.method ?? 'GET', url, fields, rawBody, fromHere }
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const parts: AsyncIterable<Buffer> = request
  for await (const chunk of parts) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new Error('body too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function sendReply(response: http.ServerResponse, reply: Reply): void {
  response.writeHead(reply.status ?? 200, {
    'content-type': reply.type ?? 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(reply.location && { location: reply.location }),
  })
  response.end(reply.body)
}
