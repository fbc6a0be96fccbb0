import type { FastifyRequest } from 'fastify'
import { loopback, mayReach } from '@vps/shared/networks'
import type { Config } from '../config.js'
import { Refusal } from '../errors.js'

/** Null: it may go on. */
export function checkOrigin(request: FastifyRequest, config: Config): Refusal | null {
  const path = request.url.split('?')[0]
  if (path === '/healthz' || path === '/readyz') return null
  if (!isOurs(request.headers.host, config)) return new Refusal('BAD_HOST')
  return isForeign(request, config.publicUrl) ? new Refusal('BAD_ORIGIN') : null
}

/**
 * Configured names only: a stranger's name resolving to us (rebinding) would put us in its origin. This machine's names
 * too and, outside production, bare addresses.
 */
function isOurs(host: string | undefined, { publicUrl, hostNames, production }: Config): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname
  if (name === new URL(publicUrl).hostname || name === 'localhost' || hostNames.includes(name)) return true
  const address = name.replace(/^\[|\]$/g, '')
  return mayReach(address, production ? loopback : everywhere) && (!production || !mayReach(address, []))
}

const everywhere = [{ first: 0n, bits: 0 }]

/** No sockets or changing calls from foreign pages. Programs send no Origin. */
function isForeign({ method, headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin } = headers
  if (origin === undefined || (method === 'GET' && !headers.upgrade)) return false
  try {
    const { host } = new URL(origin)
    return host !== headers.host && host !== new URL(publicUrl).host
  } catch {
    return true // `null` and malformed ones
  }
}
