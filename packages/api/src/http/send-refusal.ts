import { errorTable } from '@vps/shared/errors'
import type { FastifyReply } from 'fastify'
import { errorBody, type Refusal } from '../errors.js'
import { logUnserved } from '../security-log.js'

/** Answers with a refusal's status and body. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, more: object = {}) {
  // Before a call began, as while it was asked who asks.
  logUnserved(reply.log, reply.request.routeOptions.url ?? '', refusal)
  const { retryAfterSeconds } = refusal.details
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
  return reply.status(errorTable[refusal.code].status).send({ ...errorBody(refusal), ...more })
}
