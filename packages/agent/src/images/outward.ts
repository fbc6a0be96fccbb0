import { lookup } from 'node:dns'
import { request as plain, type IncomingMessage } from 'node:http'
import { request as encrypted } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { mayReach, type Network } from '@vps/shared/networks'
import { TransferFailed } from './transfer-failed.js'

/**
 * One GET of an address that somebody else has named. It is judged where it is connected to, so a name that resolves to the
 * inside, or to another address the second time, leads nowhere. `fetch` cannot be told how to resolve.
 */
export function get(
  url: URL,
  headers: Record<string, string>,
  allowed: readonly Network[],
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isAddress(literal) && !mayReach(literal, allowed)) throw new TransferFailed(refused)
    const send = url.protocol === 'https:' ? encrypted : plain
    const asked = send(url, { headers, signal, agent: false, lookup: guarded(allowed) })
    asked.once('response', (incoming) => {
      const status = incoming.statusCode ?? 0
      const body = status === 204 || status === 304 ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
      resolve(new Response(body, { status, headers: headersOf(incoming) }))
    })
    asked.once('error', (error) => reject(error instanceof TransferFailed ? error : faultOf(error, signal)))
    asked.end()
  })
}

const refused = '下载地址指向内部网络，未被允许'

const isAddress = (host: string) => host.includes(':') || /^[\d.]+$/.test(host)

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === 'string') headers.set(name, value)
  return headers
}

/** As `fetch` says it, so that one place turns it into a sentence. */
const faultOf = (error: Error, signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : new TypeError('fetch failed', { cause: error })

function guarded(allowed: readonly Network[]): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      const inside = !error && !addresses.every((address) => mayReach(address, allowed))
      callback(inside ? new TransferFailed(refused) : error, found, family)
    })
}
