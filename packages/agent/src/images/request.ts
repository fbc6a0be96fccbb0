import { downloadUrl } from '@vps/shared/agent.contract'
import type { Network } from '@vps/shared/networks'
import type { Response } from 'undici'
import { get } from './outward.js'
import { TransferFailed } from './transfer-failed.js'

const mostRedirects = 5

/**
 * Follows a few redirects, http and https only, never inside a network that is not `allowed`; the address's password
 * goes only to its own host. Gives the last reply, whatever its status.
 */
export async function request(
  address: string,
  headers: Record<string, string>,
  allowed: readonly Network[],
  signal: AbortSignal,
): Promise<Response> {
  const first = new URL(address)
  const login = first.username || first.password ? loginOf(first) : null
  let url = first
  for (let left = mostRedirects; ; left -= 1) {
    url.username = ''
    url.password = ''
    const sent = {
      'user-agent': 'vps-agent',
      // Checksum and ranges are of the unpacked file.
      'accept-encoding': 'identity',
      ...(login !== null && url.origin === first.origin ? { authorization: login } : {}),
      ...headers,
    }
    const response = await get(url, sent, allowed, signal)
    const location = redirects.has(response.status) ? response.headers.get('location') : null
    if (location === null) return response
    await response.body?.cancel()
    if (left === 0) throw new TransferFailed(`下载地址重定向超过 ${mostRedirects} 次`)
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null
    if (next === null || !downloadUrl.safeParse(next.href).success) {
      throw new TransferFailed('下载地址被重定向到不支持的协议')
    }
    url = next
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

function loginOf({ username, password }: URL): string {
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(login).toString('base64')}`
}
