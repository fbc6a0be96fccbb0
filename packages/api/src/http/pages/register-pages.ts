import { setTimeout } from 'node:timers/promises'
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
      // Without the database the client still comes, and says what is wrong.
      const { answers } = deps.health
      const [page] = await Promise.all([
        answers ? soon(pageNow(deps, client, path)) : null,
        answers && allowProbes(deps, reply),
      ])
      return reply
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(page ?? barePage(client, path))
    })
}

/** Who opened a page of ours may measure from it, wherever they go on to: exactly the addresses the operator set. */
export async function allowProbes(deps: Deps, reply: FastifyReply): Promise<void> {
  const snapshot = await soon(readSnapshot(deps))
  const origins = snapshot ? probeOrigins(snapshot.site.places) : []
  if (origins.length === 0) return
  const policy = String(reply.raw.getHeader(contentPolicy))
  reply.raw.setHeader(contentPolicy, policy.replace("connect-src 'self'", ["connect-src 'self'", ...origins].join(' ')))
}
const contentPolicy = 'content-security-policy'

const soonMs = 2_000
/** Null where it fails or takes longer: under a lock, or a database's load, no page waits as long as its statements may. */
const soon = <T>(reading: Promise<T>): Promise<T | null> =>
  Promise.race([reading.catch(() => null), setTimeout(soonMs, null, { ref: false })])

async function pageNow(deps: Deps, client: Client, path: PublicPath): Promise<string> {
  const [shown, answers] = await Promise.all([readShown(deps), firstAnswers(deps, path)])
  return publicPage(client, path, shown, { publicUrl: deps.config.publicUrl, now: deps.now(), answers })
}

/** What the pages say, from memory. */
export async function readShown(deps: Deps): Promise<Shown> {
  const [sold, status, figures] = await Promise.all([readSnapshot(deps), readStatus(deps), readFigures(deps)])
  return { ...sold, status, figures }
}
