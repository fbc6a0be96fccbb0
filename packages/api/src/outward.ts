import { lookup } from 'node:dns'
import { request as plain, type IncomingMessage } from 'node:http'
import { request as encrypted } from 'node:https'
import type { LookupFunction } from 'node:net'
import { mayReach, type Network } from '@vps/shared/networks'

/** An internal network that is not allowed. */
export class Inside extends Error {
  override name = 'internal address'
}

/** Nothing, or not all of it, in the time it had. */
export class Late extends Error {
  override name = 'time-out'
}

/** Of an answer from outside, where its caller says nothing else: from the call to its last byte, and what is read of it. */
export const answerMs = 10_000
export const answerBytes = 64 * 1024

type Call = {
  url: URL
  method?: 'GET' | 'POST' | 'PATCH'
  headers?: Record<string, string>
  body?: string | undefined
  allowed: readonly Network[]
  timeoutMs?: number
  /** Ends it earlier. */
  signal?: AbortSignal | undefined
}

/** `text` is null where it is longer than is read. */
export type Answer = { status: number; text: string | null }

/**
 * Judged where it connects, so no name leads inside; `fetch` cannot be told how to resolve. No redirects. Late, Inside, or
 * the connection's own fault.
 */
export async function askOutside({ timeoutMs = answerMs, signal, ...call }: Call): Promise<Answer> {
  const late = AbortSignal.timeout(timeoutMs)
  const ending = signal ? AbortSignal.any([late, signal]) : late
  try {
    const response = await callOutside(call, ending)
    return { status: response.statusCode ?? 0, text: await readBounded(response, answerBytes) }
  } catch (error) {
    throw ending.aborted ? new Late() : error
  }
}

function callOutside(
  { url, method = 'GET', headers, body, allowed }: Call,
  signal: AbortSignal,
): Promise<IncomingMessage> {
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
    // Of an answer that changes the protocol Node.js tells neither.
    asked.once('close', () => reject(new Error('closed without an answer')))
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

/** A body, or none, as text; null: longer. */
export async function readBounded(chunks: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string | null> {
  const read: Uint8Array[] = []
  let bytes = 0
  // Leaving early cancels the body.
  for await (const chunk of chunks ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    read.push(chunk)
  }
  return textOf(Buffer.concat(read))
}

/** Gateways of this trade still speak GBK, and say so or not. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** For a log or an operator; the message may hold an address. */
export function nameFault(error: unknown): string {
  if (!(error instanceof Error)) return 'fault'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
