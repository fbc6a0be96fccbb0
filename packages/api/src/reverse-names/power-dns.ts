import type { Network } from '@vps/shared/networks'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { askOutside, Inside, Late, nameFault } from '../outward.js'

/**
 * PowerDNS's HTTP API: one record set at a time; repeatable. Replies are bounded in time and size; the key goes as a
 * header, into no error.
 */
export type PowerDns = { url: string; key: string; allowed: readonly Network[] }

/** For the operator. `away`: any other write would fail now too. */
export type Fault = { message: string; away: boolean }

const ttlSeconds = 3600

/** Writes an address's one name, or removes it. Null: done. */
export async function writeName(
  server: PowerDns,
  { zone, name }: { zone: string; name: string },
  wanted: string | null,
): Promise<Fault | null> {
  const which = { name: `${name}.`, type: 'PTR' }
  const rrset =
    wanted === null
      ? { ...which, changetype: 'DELETE' }
      : {
          ...which,
          changetype: 'REPLACE',
          ttl: ttlSeconds,
          records: [{ content: `${wanted}.`, disabled: false }],
        }
  const reply = await ask(server, zone, { method: 'PATCH', body: JSON.stringify({ rrsets: [rrset] }) })
  if ('fault' in reply) return reply.fault
  // As a page that says that it is maintained.
  return reply.isEmpty || reply.body !== null ? null : notPowerDns
}

const notPowerDns: Fault = { message: '答复的不是 PowerDNS 的 API', away: true }

const zoneReply = z.object({ kind: z.string() })

/** Null where names can be written to it. */
export async function lookAtZone(server: PowerDns, zone: string, signal?: AbortSignal): Promise<Fault | null> {
  const reply = await ask(server, zone, { method: 'GET', query: '?rrsets=false', signal })
  if ('fault' in reply) return reply.fault
  const read = zoneReply.safeParse(reply.body)
  if (!read.success) return notPowerDns
  // Consumers and secondaries take their records from elsewhere.
  const isWritable = ['native', 'master', 'primary', 'producer'].includes(read.data.kind.toLowerCase())
  return isWritable ? null : { message: `区域的类型是 ${read.data.kind.slice(0, 40)}，不能写入`, away: false }
}

type Asked = { method: 'GET' | 'PATCH'; query?: string; body?: string; signal?: AbortSignal | undefined }
type Reply = { body: unknown; isEmpty: boolean } | { fault: Fault }

async function ask({ url, key, allowed }: PowerDns, zone: string, asked: Asked): Promise<Reply> {
  try {
    const { status, text: said } = await askOutside({
      url: new URL(`${url}/api/v1/servers/localhost/zones/${idOf(zone)}${asked.query ?? ''}`),
      method: asked.method,
      headers: { 'x-api-key': key, ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: asked.body,
      signal: asked.signal,
      allowed,
    })
    if (status >= 200 && status < 300) return { body: jsonOf(said), isEmpty: said === '' }
    return { fault: faultOf(status, jsonOf(said)) }
  } catch (error) {
    if (error instanceof Late) return { fault: { message: text.lateAnswer, away: true } }
    if (error instanceof Inside) return { fault: { message: text.insideAddress, away: true } }
    return { fault: { message: `无法连接（${nameFault(error)}）`, away: true } }
  }
}

const idOf = (zone: string) => `${zone.replace('/', '=2F')}.`

const errorReply = z.object({ error: z.string() })

function faultOf(status: number, body: unknown): Fault {
  if (status === 401 || status === 403) return { message: 'API 密钥不被接受', away: true }
  if (status === 404) return { message: '名称服务器上没有这个区域', away: false }
  const said = errorReply.safeParse(body)
  const words = said.success ? `：${said.data.error.slice(0, 200)}` : ''
  return { message: `名称服务器答复 ${status}${words}`, away: status >= 500 || status === 429 || status < 400 }
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
