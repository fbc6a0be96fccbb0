import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.js'
import { readSnapshot } from '../../shop/snapshot.js'
import { readFigures } from '../../status/read-figures.js'
import { readStatus } from '../../status/read-status.js'
import { publicPage, publicPaths } from './public-page.js'

/** Public pages say in their HTML what stands there. */
export function registerPages(app: FastifyInstance, deps: Deps, client: string): void {
  for (const path of publicPaths)
    app.get(path, async (_request, reply) => {
      // Without the database the client comes all the same, at once, and says what is wrong.
      const shown = deps.health.answers ? await readShown(deps).catch(() => null) : null
      const page = shown ? publicPage(client, path, shown, deps.config.publicUrl, deps.now()) : client
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
    })
}

/** What the pages say, from memory. */
export async function readShown(deps: Deps) {
  const [sold, status, figures] = await Promise.all([readSnapshot(deps), readStatus(deps), readFigures(deps)])
  return { ...sold, status, figures }
}
