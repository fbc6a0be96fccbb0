import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.js'
import { Refusal } from '../../errors.js'
import { clientFolder as folder, type PlainLook } from './plain-look.js'
import { barePage, type Client } from './public-page.js'
import { allowProbes, registerPages } from './register-pages.js'
import type { RefuseMethod } from '../other-methods.js'
import { sendRefusal } from '../send-refusal.js'

/** Hashed assets for ever, what keeps its name for an hour; public pages with content; else the bar alone. */
export async function registerStatic(
  app: FastifyInstance,
  deps: Deps,
  look: PlainLook | null,
  refuseMethod: RefuseMethod,
): Promise<void> {
  const client = look && readClient(look)
  if (client) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      maxAge: '1h',
      wildcard: false,
      globIgnore: ['assets/**'],
    })
    // One route: each of over a hundred assets would be two, made at every start.
    await app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      index: false,
      maxAge: '1y',
      immutable: true,
      prefix: '/assets/',
      decorateReply: false,
    })
    registerPages(app, deps, client)
  } else {
    app.log.warn('the web client is not built: only the API is served')
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const forPrograms = /^\/(api|trpc|agent|assets|dev|docs|metrics)(\/|$)/.test(path)
    // A cache would keep saying so while processes of two versions run.
    if (!client || forPrograms || !isLook(request)) {
      void reply.header('cache-control', 'no-store')
      return refuseMethod(request, reply) ?? sendRefusal(reply, new Refusal('NO_SUCH_PATH'))
    }
    if (deps.health.answers) await allowProbes(deps, reply)
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(barePage(client, path))
  })
}

/** Monitoring looks at the head alone. */
const isLook = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

function readClient(look: PlainLook): Client | null {
  const [html, files] = [join(folder, 'index.html'), join(folder, 'page-files.json')]
  if (!existsSync(html)) return null
  return { html: readFileSync(html, 'utf8'), look, files: JSON.parse(readFileSync(files, 'utf8')) }
}
