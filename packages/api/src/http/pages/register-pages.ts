import { probeOrigins } from '@vps/shared/places'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../deps.js'
import { readSnapshot } from '../../shop/snapshot.js'
import { readFigures } from '../../status/read-figures.js'
import { readStatus } from '../../status/read-status.js'
import { firstAnswers } from './first-answers.js'
import { barePage, publicPage, publicPaths, type Client, type PublicPath, type Shown } from './public-page.js'

/** Public pages, with their content in the HTML. */
export function registerPages(app: FastifyInstance, deps: Deps, client: Client): void {
  for (const path of publicPaths)
    app.get(path, async (_request, reply) => {
      // Without the database the client still comes at once, and says what is wrong.
      if (deps.health.answers) await allowProbes(deps, reply)
      const page = deps.health.answers ? await pageNow(deps, client, path).catch(() => null) : null
      return reply
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(page ?? barePage(client, path))
    })
}

/** Who opened a page of ours may measure from it, wherever they go on to: exactly the addresses the operator set. */
export async function allowProbes(deps: Deps, reply: FastifyReply): Promise<void> {
  const origins = await readSnapshot(deps).then(
    ({ site }) => probeOrigins(site.places),
    () => [],
  )
  if (origins.length === 0) return
  const policy = String(reply.raw.getHeader(contentPolicy))
  reply.raw.setHeader(contentPolicy, policy.replace("connect-src 'self'", ["connect-src 'self'", ...origins].join(' ')))
}
const contentPolicy = 'content-security-policy'

async function pageNow(deps: Deps, client: Client, path: PublicPath): Promise<string> {
  const [shown, answers] = await Promise.all([readShown(deps), firstAnswers(deps, path)])
  return publicPage(client, path, shown, { publicUrl: deps.config.publicUrl, now: deps.now(), answers })
}

/** What the pages say, from memory. */
export async function readShown(deps: Deps): Promise<Shown> {
  const [sold, status, figures] = await Promise.all([readSnapshot(deps), readStatus(deps), readFigures(deps)])
  return { ...sold, status, figures }
}
