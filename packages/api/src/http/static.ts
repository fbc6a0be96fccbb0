import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.js'
import { Refusal } from '../errors.js'
import { repository } from '../repository.js'
import { registerPages } from './pages/register-pages.js'
import { sendRefusal } from './send-refusal.js'

const folder = join(repository, 'packages/web/dist')

/** Hashed assets for ever; public pages with what stands there; else index.html. */
export async function registerStatic(app: FastifyInstance, deps: Deps): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  if (built) {
    const kept = { index: false, maxAge: '1y', immutable: true } as const
    await app.register(fastifyStatic, { ...kept, root: folder, wildcard: false, globIgnore: ['assets/**'] })
    // One route: each of the hundred and more assets would be two, made at every start.
    await app.register(fastifyStatic, {
      ...kept,
      root: join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
    })
    registerPages(app, deps, readFileSync(join(folder, 'index.html'), 'utf8'))
  } else {
    app.log.warn('the web client is not built: only the API is served')
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const forPrograms = /^\/(api|trpc|agent|assets|dev|docs|metrics)(\/|$)/.test(path)
    if (!built || forPrograms || request.method !== 'GET') return sendRefusal(reply, new Refusal('NO_SUCH_PATH'))
    return reply.type('text/html').sendFile('index.html', { maxAge: 0, immutable: false })
  })
}
