import { lookup } from 'node:dns'
import { request as plain, type IncomingMessage } from 'node:http'
import { request as encrypted } from 'node:https'
import type { LookupFunction } from 'node:net'
import { mayReach, type Network } from '@vps/shared/networks'

/** An internal network that is not allowed. */
export class Inside extends Error {
  override name = 'internal address'
}

type Call = {
  url: URL
  method?: 'GET' | 'POST' | 'PATCH'
  headers?: Record<string, string>
  body?: string | undefined
  signal: AbortSignal
  allowed: readonly Network[]
}

/** Judged where it connects, so no name leads inside; `fetch` cannot be told how to resolve. No redirects. */
export function callOutside({ url, method = 'GET', headers, body, signal, allowed }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (/^[\d.]+$|:/.test(literal) && !mayReach(literal, allowed)) throw new Inside()
    const send = url.protocol === 'https:' ? encrypted : plain
    const asked = send(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      signal,
      agent: false,
      lookup: guarded(allowed),
    })
    asked.once('response', resolve)
    asked.once('error', reject)
    asked.end(body)
  })
}

function guarded(allowed: readonly Network[]): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      const inside = !error && !addresses.every((address) => mayReach(address, allowed))
      callback(inside ? new Inside() : error, found, family)
    })
}

/** The body as text; null: longer. */
export async function readBounded(response: IncomingMessage, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Leaving early cancels the body.
  const chunks: AsyncIterable<Uint8Array> = response
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** For a log or an operator; the message may hold an address. */
export function nameFault(error: unknown): string {
  if (!(error instanceof Error)) return 'fault'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
