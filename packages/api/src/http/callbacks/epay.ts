import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { handleNotify, logRefused } from '../../payments/handle-notify.js'

/**
 * GET or POST form, no session or rate limit. `success` once committed, else `fail`, as text with status 200: stock
 * gateways search any reply for that word.
 */
export async function registerEpayNotify(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    // The gateway's own rules: repeated fields must be seen.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16 * 1024 }, (_request, body, done) =>
      done(null, body),
    )
    // Also what refuses before, as while the database is away: its JSON holds the word.
    scope.addHook('onSend', async (_request, reply, payload) => {
      if (payload === 'success' || payload === 'fail') return payload
      void reply.status(200).type('text/plain').removeHeader('retry-after')
      return 'fail'
    })
    scope.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      if ((error.statusCode ?? 500) < 500) logRefused(deps, ['malformed'])
      else request.log.error({ err: error }, 'notify failed')
      return reply.status(200).type('text/plain').send('fail')
    })
    scope.route({
      method: ['GET', 'POST'],
      url: '/api/payment/notify',
      handler: async (request, reply) => {
        const settled = await handleNotify(deps, rawOf(request))
        return reply.type('text/plain').send(settled ? 'success' : 'fail')
      },
    })
  })
}

function rawOf(request: FastifyRequest): string {
  if (request.method === 'POST' && typeof request.body === 'string' && request.body !== '') return request.body
  return request.raw.url?.split('?').slice(1).join('?') ?? ''
}
