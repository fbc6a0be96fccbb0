import type { Network } from '@vps/shared/networks'
import * as z from 'zod'
import { askOutside, nameFault } from '../../outward.js'

/** Never an address: a query's carries the key. */
export type Reply = { kind: 'json'; body: Record<string, unknown> } | { kind: 'unknown'; reason: string }

type Request = { url: URL; form?: URLSearchParams; timeoutMs: number; allowed: readonly Network[] }

/**
 * Bounded in time and size, no redirects. HTML, broken JSON, an empty page or a server fault mean that nobody knows.
 */
export async function callGateway(request: Request): Promise<Reply> {
  try {
    const { status, text } = await askOutside(asked(request))
    if (text === null) return { kind: 'unknown', reason: 'reply too long' }
    if (status >= 500 || (status >= 300 && status < 400) || beforeIt.has(status))
      return { kind: 'unknown', reason: `status ${status}` }
    return readJson(text)
  } catch (error) {
    return { kind: 'unknown', reason: nameFault(error) }
  }
}

/** A firewall's or limit's, which knows of no payment. */
const beforeIt = new Set([401, 403, 429])

const asked = ({ form, ...request }: Request) =>
  form === undefined
    ? request
    : {
        ...request,
        method: 'POST' as const,
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body: form.toString(),
      }

const jsonObject = z.record(z.string(), z.unknown())

function readJson(text: string): Reply {
  try {
    const body = jsonObject.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')))
    if (body.success) return { kind: 'json', body: body.data }
  } catch {
    // What cannot be read proves nothing.
  }
  return { kind: 'unknown', reason: text.trim() === '' ? 'empty reply' : 'reply is not JSON' }
}
