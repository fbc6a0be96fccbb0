import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.js'
import { sendRefusal } from './send-refusal.js'

/** Gives no answer where none is due. */
export type RefuseMethod = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null

/**
 * Of an address of `/api` that there is, with another method: 405 with those that it takes (RFC 9110, 15.5.6). Before
 * its routes are made. HEAD and OPTIONS are asked by no client of ours, and find nothing there.
 */
export function knowMethods(app: FastifyInstance): RefuseMethod {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith('/api/')) return
    const methods = known.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    known.set(url, methods)
  })
  // Made at the first miss.
  let patterns: { at: RegExp; methods: ReadonlySet<string> }[] | null = null
  return (request, reply) => {
    if (request.method === 'HEAD' || request.method === 'OPTIONS') return null
    patterns ??= [...known].map(([url, methods]) => ({ at: patternOf(url), methods }))
    const path = request.url.split('?')[0] ?? ''
    const found = patterns.filter(({ at }) => at.test(path)).flatMap(({ methods }) => [...methods])
    if (found.length === 0) return null
    const allowed = [...new Set(found)].toSorted()
    const named = allowed.filter((method) => method !== 'HEAD').join('、')
    const message = `该接口不支持 ${request.method} 方法，请使用 ${named}`
    return sendRefusal(reply.header('allow', allowed.join(', ')), new Refusal('METHOD_NOT_ALLOWED', { message }))
  }
}

const patternOf = (url: string) =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`)
