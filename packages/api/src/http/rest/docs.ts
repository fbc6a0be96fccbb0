import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { productName } from '@vps/shared/brand'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { openApiDocument, type ListFile } from './openapi.js'

let document: ReturnType<typeof openApiDocument> | null = null
const made = (files: readonly ListFile[]) => (document ??= openApiDocument(files))

/** Written and packed once: half a megabyte each time would let visitors hold up the process. */
const keep = async (files: readonly ListFile[]) => {
  const text = JSON.stringify(made(files))
  return { text, packed: await promisify(gzip)(text) }
}
let kept: ReturnType<typeof keep> | null = null

/** `/api/openapi.json` for programs, `/docs` for people. Made when first asked for: few ask, every start would pay. */
export function registerDocs(app: FastifyInstance, files: readonly ListFile[]): void {
  app.get('/api/openapi.json', async (request, reply) => {
    const { text, packed } = await (kept ??= keep(files))
    void reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
    // Whoever takes nothing else gets it as it is.
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(text)
    return reply.header('content-encoding', 'gzip').send(packed)
  })
  let pages: Promise<FastifyInstance> | null = null
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const opening = (pages ??= openPages(files))
    const { routing } = await opening.catch((error: unknown) => {
      pages = null // Its parts could not be loaded, as when open files are short.
      throw error
    })
    reply.hijack()
    routing(request.raw, reply.raw)
  }
  app.get('/docs', show)
  app.get('/docs/*', show)
  app.addHook('onClose', async () => (await pages)?.close())
}

async function openPages(files: readonly ListFile[]): Promise<FastifyInstance> {
  // Defaults: in a bundle, a CommonJS module loaded later has no other names.
  const [swagger, ui] = await Promise.all([import('@fastify/swagger'), import('@fastify/swagger-ui')])
  const pages = fastify()
  await pages.register(swagger.default, { mode: 'static', specification: { document: made(files) } })
  await pages.register(ui.default, {
    routePrefix: '/docs',
    uiConfig: { validatorUrl: null, docExpansion: 'none', filter: true },
    theme: { title: `${productName} API`, css: [{ filename: 'own.css', content: style }] },
  })
  await pages.ready()
  return pages
}

/** Another document's address is of no use here, nor is the library's mark. */
const style = `
.swagger-ui .topbar .download-url-wrapper { visibility: hidden }
.swagger-ui .topbar .link img, .swagger-ui .topbar .link svg { display: none }
.swagger-ui .topbar .link::after { content: '${productName}' }
`
