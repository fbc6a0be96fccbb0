import type { FastifyInstance } from 'fastify'
import { isClockRight } from '../db/watch.js'
import type { Deps } from '../deps.js'

/**
 * `/readyz`: migrated (else nothing listens), database answers, clocks agree, not stopping. From the last look, so that
 * silence delays nothing.
 */
export function registerHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', { logLevel: 'silent' }, () => ({ ok: true }))
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    const reason = notReady(deps)
    return reason === null ? { ok: true } : reply.status(503).send({ ok: false, reason })
  })
}

function notReady({ health, stopping }: Deps): 'stopping' | 'database' | 'clock' | null {
  if (stopping.signal.aborted) return 'stopping'
  if (!health.answers) return 'database'
  return isClockRight(health.clockAheadMs) ? null : 'clock'
}
