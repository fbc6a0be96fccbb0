import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.js'
import { Refusal } from '../../errors.js'
import { clientFolder as folder, type PlainLook } from './plain-look.js'
import { allowProbes, registerPages } from './register-pages.js'
import { sendRefusal } from '../send-refusal.js'

/** Hashed assets for ever, what keeps its name for an hour; public pages with what stands there; else index.html. */
export async function registerStatic(app: FastifyInstance, deps: Deps, look: PlainLook | null): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  if (built && look) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      maxAge: '1h',
      wildcard: false,
      globIgnore: ['assets/**'],
    })
    // One route: each of the hundred and more assets would be two, made at every start.
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      index: false,
      maxAge: '1y',
      immutable: true,
      prefix: '/assets/',
      decorateReply: false,
    })
    registerPages(app, deps, { html: readFileSync(join(folder, 'index.html'), 'utf8'), look })
  } else {
    app.log.warn('the web client is not built: only the API is served')
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const forPrograms = /^\/(api|trpc|agent|assets|dev|docs|metrics)(\/|$)/.test(path)
    if (!built || forPrograms || request.method !== 'GET') return sendRefusal(reply, new Refusal('NO_SUCH_PATH'))
    if (deps.health.answers) await allowProbes(deps, reply)
    return reply.type('text/html').sendFile('index.html', { maxAge: 0 })
  })
}
