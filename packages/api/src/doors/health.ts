import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.js'

/** `/healthz`: the process runs. `/readyz`: migrations are done (else nothing listens yet) and the database answers. */
export function registerHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', { logLevel: 'silent' }, () => ({ ok: true }))
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    try {
      await sql`select 1`.execute(deps.db)
      return { ok: true }
    } catch {
      return reply.status(503).send({ ok: false })
    }
  })
}
