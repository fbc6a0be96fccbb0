import { lookup } from 'node:dns'
import { request as plain, type IncomingMessage } from 'node:http'
import { request as encrypted } from 'node:https'
import type { LookupFunction } from 'node:net'
import { mayReach, type Network } from '@vps/shared/networks'

/** An internal network that is not allowed. */
class Inside extends Error {
  override name = 'internal address'
}

type Call = { url: URL; form?: URLSearchParams; signal: AbortSignal; allowed: readonly Network[] }

/** Judged where it connects, so no name leads inside. `fetch` cannot be told how to resolve. */
export function callOutside({ url, form, signal, allowed }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (/^[\d.]+$|:/.test(literal) && !mayReach(literal, allowed)) throw new Inside()
    const body = form?.toString()
    const headers = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
    }
    const send = url.protocol === 'https:' ? encrypted : plain
    const method = body === undefined ? 'GET' : 'POST'
    const asked = send(url, { method, headers, signal, agent: false, lookup: guarded(allowed) })
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
