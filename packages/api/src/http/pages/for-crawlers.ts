import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.js'
import { readSnapshot } from '../../shop/snapshot.js'
import { publicPaths } from './public-page.js'

const notForThem = ['/api/', '/trpc/', '/agent/', '/docs', '/auth', '/dashboard', '/orders', '/recharge', '/payment/']

/** robots.txt, and a sitemap of public pages and the shop's regions. */
export function registerForCrawlers(app: FastifyInstance, deps: Deps): void {
  const urlOf = (path: string) => new URL(path, deps.config.publicUrl).href
  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\n${notForThem.map((path) => `Disallow: ${path}\n`).join('')}Sitemap: ${urlOf('/sitemap.xml')}\n`,
      ),
  )
  app.get('/sitemap.xml', async (_request, reply) => {
    const { groups } = await readSnapshot(deps)
    const paths = [...publicPaths, '/notices', ...groups.map(({ id }) => `/sales?group=${id}`)]
    const urls = paths.map((path) => `<url><loc>${urlOf(path)}</loc></url>`).join('')
    return reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`,
      )
  })
}
