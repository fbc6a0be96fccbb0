import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { mayReach, type Network } from '@vps/shared/networks'
import { Agent, fetch, type Response } from 'undici'
import { TransferFailed } from './transfer-failed.js'

/** One GET of a foreign address, judged where it connects: no name leads inside, even resolved again. */
export async function get(
  url: URL,
  headers: Record<string, string>,
  allowed: readonly Network[],
  signal: AbortSignal,
): Promise<Response> {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isAddress(literal) && !mayReach(literal, allowed)) throw new TransferFailed(refused)
  const dispatcher = new Agent({ connect: { lookup: guarded(allowed) } })
  try {
    return await fetch(url, { headers, signal, dispatcher, redirect: 'manual' })
  } catch (error) {
    throw error instanceof TypeError && error.cause instanceof TransferFailed ? error.cause : error
  } finally {
    // Ends with what is under way: each address is asked once.
    void dispatcher.close()
  }
}

const refused = '下载地址指向内部网络，未被允许'

const isAddress = (host: string) => host.includes(':') || /^[\d.]+$/.test(host)

function guarded(allowed: readonly Network[]): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      const inside = !error && !addresses.every((address) => mayReach(address, allowed))
      callback(inside ? new TransferFailed(refused) : error, found, family)
    })
}
